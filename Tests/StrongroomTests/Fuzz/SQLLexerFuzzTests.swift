import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

/// Compares `SQLLexer` with what `sqlite3_prepare_v3` consumes.
@Suite struct SQLLexerFuzzTests {
    @Test func `Keywords, ends and parameters of statements are those that SQLite finds`() throws {
        let engine = try Engine()
        var count = 0
        _ = try Fuzzing().run("SQL tokens") { generator in
            for _ in 0..<20 {
                count += try engine.compare(SQLGrammar.text(&generator))
            }
        }
        // Most of what was made was SQL.
        #expect(count > 1000)
    }

    @Test func `A URI gives a key if SQLite finds one in it`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "a")
        let pieces = [
            "key", "hexkey", "textkey", "%6b", "%6B", "ey", "%00", "%", "%k", "=", "=", "&", "&",
            "?",
            "#", "x", "mode=ro", "KEY", "%3d", "%26",
        ]
        var keyCount = 0
        _ = try Fuzzing().run("URIs") { generator in
            for _ in 0..<20 {
                let uri = "file:\(file)?" + generator.text(of: pieces, upTo: 9)
                guard let expected = Self.givesKey(uri) else { continue }
                keyCount += expected ? 1 : 0
                try Fuzzing.expect(KeyURI.givesKey(uri) == expected, uri.debugDescription)
            }
        }
        #expect(keyCount > 50)
    }

    /// nil where SQLite does not open the file.
    private static func givesKey(_ uri: String) -> Bool? {
        guard !uri.utf8.contains(0) else { return nil }
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        guard sqlite3_open_v2(uri, &connection, flags, nil) == SQLITE_OK,
            let name = sqlite3_db_filename(connection, "main")
        else { return nil }
        let keys: [String] = ["key", "hexkey", "textkey"]
        return keys.contains { sqlite3_uri_parameter(name, $0) != nil }
    }
}

/// SQLite, which compiles statements and tells what they are.
private final class Engine {
    private let connection: OpaquePointer
    /// What the authorizer was asked while a statement was compiled.
    private var actions: [Action] = []

    private struct Action: Equatable {
        let code: CInt
        let first: String?
        let second: String?
    }

    init() throws {
        var connection: OpaquePointer?
        sqlite3_open(":memory:", &connection)
        self.connection = try #require(connection)
        sqlite3_exec(connection, "CREATE TABLE t(a, b)", nil, nil, nil)
        sqlite3_set_authorizer(
            connection,
            { context, code, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
                engine.actions.append(
                    Action(
                        code: code, first: first.map { String(cString: $0) },
                        second: second.map { String(cString: $0) }))
                // SQLCipher would carry it out.
                return code == SQLITE_PRAGMA ? SQLITE_IGNORE : SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        sqlite3_close(connection)
    }

    /// - Returns: How many statements there were.
    func compare(_ text: [UInt8]) throws -> Int {
        try text.withUnsafeBufferPointer { bytes in
            var lexer = SQLLexer(bytes)
            var count = 0
            while try compareNext(bytes, &lexer) { count += 1 }
            return count
        }
    }

    private func compareNext(
        _ bytes: UnsafeBufferPointer<UInt8>, _ lexer: inout SQLLexer
    ) throws -> Bool {
        guard let base = bytes.baseAddress else { return false }
        let start = lexer
        let range = lexer.nextStatement()
        actions = []
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let characters = UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self)
        let code = sqlite3_prepare_v3(
            connection, characters + start.position, CInt(bytes.count - start.position), 0,
            &statement, &tail)
        defer { sqlite3_finalize(statement) }
        let end = try #require(tail) - characters
        guard code == SQLITE_OK else {
            try compareError(start, end)
            return false
        }
        try Fuzzing.expect(
            (range != nil) == (statement != nil), "statement at \(start.position) of \(start.shown)"
        )
        guard let range, let statement else { return false }
        try Fuzzing.expect(
            range == start.position..<end, "\(range), SQLite goes on at \(end): \(start.shown)")
        try compareHead(start, statement)
        try compareParameters(start, end, statement)
        return true
    }

    /// SQLite has no token for what the lexer calls illegal.
    private func compareError(_ start: SQLLexer, _ end: Int) throws {
        let message = String(cString: sqlite3_errmsg(connection))
        guard message.hasPrefix("unrecognized token") else { return }
        var lexer = start
        while let token = lexer.next() {
            guard token.kind == .illegal else { continue }
            // SQLite reads one token further before it looks at underscores in numbers.
            let isThere = token.range.lowerBound <= end
            return try Fuzzing.expect(
                isThere, "\(message), found at \(token.range) in \(start.shown)")
        }
        try Fuzzing.expect(false, "\(message), not found in \(start.shown)")
    }

    private func compareHead(
        _ start: SQLLexer, _ statement: OpaquePointer
    ) throws {
        var lexer = start
        let explain = lexer.isWord(lexer.nextAfterSemicolons(), "explain")
        let isExplained = sqlite3_stmt_isexplain(statement) != 0
        try Fuzzing.expect(explain == isExplained, "EXPLAIN in \(start.shown)")
        lexer = start
        let next = lexer.nextWithoutExplain()
        let first = try #require(next)
        let word = lexer.lowercasedWord(first)
        let found = actions.first { keyword(of: $0) != nil }
        try Fuzzing.expect(
            found.flatMap(keyword) == (Self.toldWords.contains(word) ? Self.standard(word) : nil),
            "\(word) is \(actions) in \(start.shown)")
        if word == "pragma" {
            let pragma = lexer.pragma()
            try Fuzzing.expect(
                pragma == SQLLexer.Pragma(name: found?.first ?? "", argument: found?.second),
                "\(String(describing: pragma)) in \(start.shown)")
        }
    }

    private static let toldWords: Set = [
        "pragma", "attach", "detach", "begin", "commit", "end", "rollback", "savepoint", "release",
    ]

    private static func standard(_ word: String) -> String { word == "end" ? "commit" : word }

    /// The keyword that SQLite tells its authorizer of, of the statements of which it does.
    private func keyword(of action: Action) -> String? {
        switch action.code {
        case SQLITE_PRAGMA: "pragma"
        case SQLITE_ATTACH: "attach"
        case SQLITE_DETACH: "detach"
        case SQLITE_TRANSACTION: action.first?.lowercased()
        case SQLITE_SAVEPOINT:
            action.first == "BEGIN" ? "savepoint" : action.first?.lowercased()
        default: nil
        }
    }

    private func compareParameters(
        _ start: SQLLexer, _ end: Int, _ statement: OpaquePointer
    ) throws {
        var lexer = start
        var names: [String: Int] = [:]
        var count = 0
        while lexer.position < end, let token = lexer.next() {
            try Fuzzing.expect(
                token.kind != .illegal, "\(lexer.text(token)) is legal in \(start.shown)")
            guard token.kind == .parameter else { continue }
            let name = lexer.text(token)
            if name.hasPrefix("?") {
                count = max(count, Int(name.dropFirst()) ?? count + 1)
            } else if names[name] == nil {
                count += 1
                names[name] = count
            }
        }
        try Fuzzing.expect(
            Int(sqlite3_bind_parameter_count(statement)) == count, "parameters of \(start.shown)")
        for (name, number) in names {
            let found = sqlite3_bind_parameter_name(statement, CInt(number))
            try Fuzzing.expect(
                found.map { String(cString: $0) } == name, "\(name) in \(start.shown)")
        }
    }
}

extension SQLLexer {
    fileprivate var shown: String { String(decoding: bytes, as: UTF8.self).debugDescription }
}
