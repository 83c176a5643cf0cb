internal import StrongroomCore
internal import StrongroomSchema

// A CHECK over several columns holds at the author. It holds after a merge, too, if the columns
// that it names come from one author.

extension SharedTable {
    static func groups(
        _ declaration: SyncedTable, _ stored: StoredTable, _ columns: [Column]
    ) -> [[Int]] {
        var places: [String: Int] = [:]
        for (index, column) in columns.enumerated() {
            places[column.name.asciiLowercased] = index
        }
        var sets: [Set<Int>] = declaration.groups.map { names in
            Set(names.compactMap { places[$0.asciiLowercased] })
        }
        sets += stored.checkedColumns.map { names in
            // A column that the database computes stands for any that it may be computed from.
            let isAnyComputed = names.contains { stored.isComputed($0) }
            return isAnyComputed ? Set(columns.indices) : Set(names.compactMap { places[$0] })
        }
        if declaration.row == .whole { sets.append(Set(columns.indices)) }
        return joined(sets).filter { $0.count > 1 }.map { $0.sorted() }
            .sorted { $0[0] < $1[0] }
    }

    /// Sets that have an element in common become one.
    private static func joined(_ sets: [Set<Int>]) -> [Set<Int>] {
        var joined: [Set<Int>] = []
        for set in sets where !set.isEmpty {
            var whole = set
            joined.removeAll { other in
                guard !other.isDisjoint(with: whole) else { return false }
                whole.formUnion(other)
                return true
            }
            joined.append(whole)
        }
        return joined
    }
}

extension StoredTable {
    /// The columns that each CHECK names, with A to Z in lower case.
    package var checkedColumns: [Set<String>] {
        let names = Set(columns.map(\.name.asciiLowercased))
        return checks.map { sql in
            sql.withSQLLexer { lexer in
                var found: Set<String> = []
                while let token = lexer.next() {
                    let text = String(decoding: lexer.bytes[token.range], as: UTF8.self)
                    guard let name = Self.name(text, token.kind)?.asciiLowercased else { continue }
                    if names.contains(name) { found.insert(name) }
                }
                return found
            }
        }
    }

    fileprivate func isComputed(_ name: String) -> Bool {
        columns.contains { $0.isGenerated && $0.name.asciiLowercased == name }
    }

    /// The name that a token may mean. A text in single quotes is none.
    private static func name(_ text: String, _ kind: SQLLexer.Kind) -> String? {
        switch kind {
        case .word: return text
        case .quotedName:
            guard let open = text.first, text.count > 1 else { return nil }
            let inner = String(text.dropFirst().dropLast())
            return open == "[" ? inner : inner.replacing("\(open)\(open)", with: "\(open)")
        default: return nil
        }
    }
}
