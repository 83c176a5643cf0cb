internal import StrongroomCore

/// One token of SQL that means something.
struct SQLPiece: Hashable {
    let kind: SQLLexer.Kind
    let text: String
    /// Whether a blank or a comment stands before it.
    let isApart: Bool

    func isWord(_ words: String...) -> Bool {
        kind == .word && words.contains(text.asciiLowercased)
    }

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    /// The name that a word or a quoted name stands for.
    var name: String {
        guard kind == .quotedName || kind == .string, let open = text.first else { return text }
        let inner = String(text.dropFirst().dropLast())
        return open == "[" ? inner : inner.replacing("\(open)\(open)", with: "\(open)")
    }

    /// The same for texts that differ in case and quotes only.
    var normal: String {
        switch kind {
        case .word: text.asciiLowercased
        case .quotedName: name.asciiLowercased
        default: text
        }
    }

    static func pieces(_ sql: String) -> [SQLPiece] {
        sql.withSQLLexer { lexer in
            var pieces: [SQLPiece] = []
            var isApart = false
            while let token = lexer.next() {
                if token.kind == .blank || token.kind == .comment {
                    isApart = true
                    continue
                }
                let text = String(decoding: lexer.bytes[token.range], as: UTF8.self)
                pieces.append(SQLPiece(kind: token.kind, text: text, isApart: isApart))
                isApart = false
            }
            return pieces
        }
    }
}

extension Collection where Element == SQLPiece {
    /// The SQL without comments, on one line.
    var sql: String {
        reduce(into: "") { text, piece in
            if !text.isEmpty, piece.isApart { text += " " }
            text += piece.text
        }
    }

    /// The parts between commas that stand in no parentheses.
    var byComma: [[SQLPiece]] {
        var parts: [[SQLPiece]] = [[]]
        var depth = 0
        for piece in self {
            if piece.isMark("(") { depth += 1 }
            if piece.isMark(")") { depth -= 1 }
            if depth == 0, piece.isMark(",") {
                parts.append([])
            } else {
                parts[parts.count - 1].append(piece)
            }
        }
        return parts.filter { !$0.isEmpty }
    }

    /// Whether a table or view of that name may be meant somewhere.
    func mentions(_ names: Set<String>) -> Bool {
        contains {
            [.word, .quotedName, .string].contains($0.kind)
                && names.contains($0.name.asciiLowercased)
        }
    }
}

/// What the text of a virtual table says: its module does not run.
enum VirtualTableText {
    static func module(_ sql: String) -> String {
        let pieces = SQLPiece.pieces(sql)
        guard let using = pieces.firstIndex(where: { $0.isWord("using") }),
            using + 1 < pieces.count
        else { return "" }
        return pieces[using + 1].name.asciiLowercased
    }

    /// Arguments of FTS5 with `=` are options; of others, the first word is the column.
    static func fullTextColumns(_ sql: String) -> [DatabaseColumn] {
        let pieces = SQLPiece.pieces(sql)
        guard let using = pieces.firstIndex(where: { $0.isWord("using") }),
            let start = pieces[using...].firstIndex(where: { $0.isMark("(") })
        else { return [] }
        return pieces[(start + 1)...].dropLast().byComma.compactMap { argument in
            guard !argument.contains(where: { $0.isMark("=") }), let name = argument.first else {
                return nil
            }
            return DatabaseColumn(name: name.name)
        }
    }
}
