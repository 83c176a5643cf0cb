/// What SQLite's `integrity_check` or `quick_check` says, by what it means.
///
/// On a connection without modules, SQLite passes over virtual tables, and says nothing of them.
///
/// A module that cannot look at its index has not found it damaged. FTS3 to FTS5 of SQLite 3.44 write
/// to their table to examine it, which a connection that must not write refuses. An app's own
/// tokenizer is not known to other programs.
struct StructureCheck {
    /// What does not fit together.
    private(set) var damage: [String] = []
    /// Rows that break a constraint of their table; the file is what was written.
    private(set) var brokenConstraints: [String] = []
    /// Virtual tables that could not be examined, and why.
    private(set) var unexamined: [String] = []

    /// Whether nothing was found by what could be examined.
    var isSound: Bool { damage.isEmpty && brokenConstraints.isEmpty }

    /// What speaks against it, as one text.
    var findings: String { (damage + brokenConstraints).joined(separator: "; ") }

    /// - Parameters:
    ///   - quick: Leaves out the comparison of indexes with tables.
    ///   - isOwn: Whether the file is new and nobody else's, so that modules may lock it for writing.
    init(
        of database: Database, quick: Bool, isOwn: Bool = false, _ operation: LongOperation
    ) throws {
        let sql = quick ? "PRAGMA quick_check" : "PRAGMA integrity_check"
        if !quick {
            try database.run("PRAGMA cache_size = -\(Self.cacheByteCount(for: database) >> 10)")
        }
        if isOwn { try database.run("PRAGMA query_only = OFF") }
        defer { if isOwn { try? database.run("PRAGMA query_only = ON") } }
        let lines = try lines(of: sql, database, operation)
        try Self.requireMemory(lines)
        for line in Self.single(lines) where line != "ok" { add(line) }
    }

    /// SQLite puts what it finds in the trees of a database into one text, with a headline.
    private static func single(_ lines: [String]) -> [String] {
        lines.flatMap { $0.split(separator: "\n").map(String.init) }
            .filter { !($0.hasPrefix("*** in database ") && $0.hasSuffix(" ***")) }
    }

    /// SQLite lists a page for which there was no memory, and all that hangs from it, as if it were
    /// damaged.
    static func requireMemory(_ lines: [String]) throws {
        for line in lines.lazy.flatMap({ $0.split(separator: "\n") }) {
            guard let mark = line.firstRange(of: "unable to get the page. error code="),
                let code = CInt(line[mark.upperBound...]).map({ ResultCode(rawValue: $0) }),
                code.primaryResultCode == .SQLITE_NOMEM || code == .SQLITE_IOERR_NOMEM
            else { continue }
            throw DatabaseError(code: .SQLITE_NOMEM)
        }
    }

    /// SQLite compares an index with its table in the order of the index, and visits the table's pages
    /// at random. (`Documentation/SQLCipher.md`, "What a page costs") A quick check does not compare them.
    /// <https://www.sqlite.org/pragma.html#pragma_quick_check>
    private static func cacheByteCount(for database: Database) -> Int64 {
        let pageCount = (try? database.number("PRAGMA page_count")) ?? 0
        let byteCount = pageCount * ((try? database.number("PRAGMA page_size")) ?? 0)
        return max(2 << 20, min(byteCount, MachineMemory.byteCount / 32, 64 << 20))
    }

    private mutating func lines(
        of sql: String, _ database: Database, _ operation: LongOperation
    ) throws -> [String] {
        do {
            return try operation.watching(database) { try database.texts(sql) }
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_ERROR && !operation.isStopped
        {
            // One virtual table that cannot be opened keeps SQLite from examining all others.
            try database.removeModules()
            let lines = try? operation.watching(database) { try database.texts(sql) }
            guard let lines, !lines.isEmpty else { throw error }
            unexamined.append("virtual tables: \(error.message ?? "")")
            return lines
        }
    }

    private mutating func add(_ line: String) {
        // SQLite reports rows that break a constraint in the same list as damage.
        if ["CHECK constraint failed in ", "NULL value in "].contains(where: line.hasPrefix) {
            brokenConstraints.append(line)
        } else if line.hasPrefix("unable to validate the inverted index for FTS") {
            unexamined.append(line)
        } else {
            damage.append(line)
        }
    }
}

extension DatabaseFile {
    /// - Throws: An error about a new file that is thrown away.
    func requireSound(_ check: StructureCheck) throws {
        guard check.isSound else { throw unverified(check.findings) }
    }
}
