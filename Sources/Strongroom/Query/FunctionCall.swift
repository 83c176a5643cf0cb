/// A call of an SQL function.
struct FunctionCall: SQLNode {
    let name: String
    let arguments: [SQLExpression]

    func write(to sql: inout SQLGenerationContext) throws {
        if Self.isPlain(name) {
            sql.append(sql: name)
        } else {
            sql.append(identifier: name)
        }
        sql.append(sql: "(")
        try sql.append(arguments, separator: ", ") { argument, sql in
            try argument.write(to: &sql)
        }
        sql.append(sql: ")")
    }

    /// Whether the name needs no quotes.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        let isWord = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
        }
        return isWord && !SQLKeyword.contains(name)
    }
}
