internal import StrongroomCore

/// The text of a CREATE TABLE in parts that can be changed one by one.
///
/// What is not changed stays as it was written, but for comments and line breaks.
struct TableText {
    /// A column with its constraints, or a constraint of the table.
    struct Item {
        /// Nil for a constraint of the table.
        var name: String?
        var head: [SQLPiece]
        var type: String
        var constraints: [String]

        var sql: String {
            ([head.sql, type] + constraints).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    var items: [Item]
    var options: [String]

    /// Nil where the text is not of a table.
    init?(_ sql: String) {
        let pieces = SQLPiece.pieces(sql)
        guard pieces.first?.isWord("create") == true,
            let start = pieces.firstIndex(where: { $0.isMark("(") }),
            let end = Self.closing(pieces, from: start)
        else { return nil }
        items = pieces[(start + 1)..<end].byComma.map(Self.item)
        options = pieces[(end + 1)...].byComma.map(\.sql)
    }

    static func closing(_ pieces: [SQLPiece], from start: Int) -> Int? {
        var depth = 0
        for index in pieces.indices[start...] {
            if pieces[index].isMark("(") { depth += 1 }
            if pieces[index].isMark(")") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    // MARK: - Reading

    private static func item(_ pieces: [SQLPiece]) -> Item {
        if pieces[0].isWord("constraint", "primary", "unique", "check", "foreign") {
            return Item(name: nil, head: pieces, type: "", constraints: [])
        }
        let rest = pieces.dropFirst()
        let typeEnd = rest.firstIndex { beginsConstraint($0) } ?? rest.endIndex
        return Item(
            name: pieces[0].name, head: [pieces[0]], type: rest[..<typeEnd].sql,
            constraints: constraints(Array(rest[typeEnd...])).map { $0.sql })
    }

    private static func beginsConstraint(_ piece: SQLPiece) -> Bool {
        piece.isWord(
            "constraint", "primary", "not", "null", "unique", "check", "default", "collate",
            "references", "generated", "as")
    }

    private static func constraints(_ pieces: [SQLPiece]) -> [[SQLPiece]] {
        var parts: [[SQLPiece]] = []
        var depth = 0
        for (index, piece) in pieces.enumerated() {
            let begins =
                depth == 0 && beginsConstraint(piece)
                && !continues(
                    piece, parts.last ?? [],
                    next: index + 1 < pieces.count ? pieces[index + 1] : nil)
            if piece.isMark("(") { depth += 1 }
            if piece.isMark(")") { depth -= 1 }
            if begins || parts.isEmpty {
                parts.append([piece])
            } else {
                parts[parts.count - 1].append(piece)
            }
        }
        return parts
    }

    /// Whether a word that could begin a constraint belongs to the one before it.
    private static func continues(_ piece: SQLPiece, _ part: [SQLPiece], next: SQLPiece?) -> Bool {
        guard let last = part.last else { return false }
        if part.count == 2, part[0].isWord("constraint") { return true }
        if piece.isWord("not"), next?.isWord("deferrable") == true { return true }
        if piece.isWord("null"), last.isWord("not", "set", "default") { return true }
        if piece.isWord("default"), last.isWord("set") { return true }
        if last.isWord("default") { return true }
        return piece.isWord("as") && last.isWord("always")
    }

    // MARK: - Changing

    private static func isNotNull(_ constraint: String) -> Bool {
        let words = bareWords(constraint)
        return words.starts(with: ["not", "null"])
    }

    /// The words of a constraint without its name, in lower case.
    private static func bareWords(_ constraint: String) -> [String] {
        var pieces = SQLPiece.pieces(constraint)
        if pieces.first?.isWord("constraint") == true { pieces.removeFirst(2) }
        return pieces.map(\.normal)
    }

    private static func begins(_ constraint: String, _ word: String) -> Bool {
        bareWords(constraint).first == word
    }

    mutating func change(_ edit: TableEdit) {
        switch edit {
        case .add(let definition, _):
            let index = items.lastIndex { $0.name != nil }.map { $0 + 1 } ?? items.endIndex
            if let added = TableText("CREATE TABLE t (\(definition))")?.items.first {
                items.insert(added, at: index)
            }
        case .key(let names): setKey(names)
        case .withoutRowID(let isWithout):
            options.removeAll { Self.bareWords($0) == ["without", "rowid"] }
            if isWithout { options.append("WITHOUT ROWID") }
        case .type(let column, let type, _): changeColumn(column) { $0.type = type }
        case .notNull(let column, let value):
            changeColumn(column) { item in
                item.constraints.removeAll { Self.begins($0, "null") }
                item.constraints.append("NOT NULL")
                if !item.constraints.contains(where: { Self.begins($0, "default") }) {
                    item.constraints.append("DEFAULT \(value)")
                }
            }
        case .optional(let column):
            changeColumn(column) { $0.constraints.removeAll(where: Self.isNotNull) }
        case .plain(let column):
            changeColumn(column) { item in
                item.constraints.removeAll {
                    Self.begins($0, "generated") || Self.begins($0, "as")
                }
            }
        case .defaultValue(let column, let value):
            changeColumn(column) { item in
                item.constraints.removeAll { Self.begins($0, "default") }
                item.constraints.append("DEFAULT \(value)")
            }
        }
    }

    private mutating func changeColumn(_ name: String, _ change: (inout Item) -> Void) {
        let index = items.firstIndex { $0.name?.asciiLowercased == name.asciiLowercased }
        if let index { change(&items[index]) }
    }

    private mutating func setKey(_ names: [String]) {
        items.removeAll { $0.name == nil && Self.begins($0.sql, "primary") }
        for index in items.indices {
            items[index].constraints.removeAll { Self.begins($0, "primary") }
        }
        if names.count == 1 {
            changeColumn(names[0]) { $0.constraints.insert("PRIMARY KEY", at: 0) }
        } else if !names.isEmpty {
            let list = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            items += TableText("CREATE TABLE t (PRIMARY KEY (\(list)))")?.items ?? []
        }
    }

    /// The statement that makes the table.
    func sql(named name: String) -> String {
        let body = items.map { "  " + $0.sql }.joined(separator: ",\n")
        let tail = options.isEmpty ? "" : " " + options.joined(separator: ", ")
        return "CREATE TABLE \(name) (\n\(body)\n)\(tail)"
    }
}

/// A change of a table that keeps its rows.
enum TableEdit: Hashable {
    /// A definition of a column; whether ALTER TABLE can add it.
    case add(String, isSimple: Bool)
    case key([String])
    case withoutRowID(Bool)
    /// With the expression that turns an old value into a new one, if it is another.
    case type(String, String, value: String?)
    /// With the value that takes the place of NULL.
    case notNull(String, String)
    case optional(String)
    case plain(String)
    case defaultValue(String, String)
}
