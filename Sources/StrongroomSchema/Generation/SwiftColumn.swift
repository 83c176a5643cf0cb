internal import StrongroomCore
internal import TableModel

/// A property for a column of the database.
struct SwiftColumn {
    let column: DatabaseColumn
    /// The property's name, without back ticks.
    let property: String
    let type: SwiftType
    let isOptional: Bool

    /// The line that declares it, for the row itself or for its composite key.
    func declaration(isKey: Bool, marksKey: Bool? = nil) -> String {
        var arguments: [String] = []
        if column.name != property { arguments.append(swiftLiteral(column.name)) }
        if let representation = type.representation {
            arguments.append("as: \(representation).self")
        }
        if let marksKey { arguments.append("primaryKey: \(marksKey)") }
        switch column.generation {
        case .stored?: arguments.append("generated: .stored")
        case .virtual?: arguments.append("generated: .virtual")
        case nil: break
        }
        let value = isKey ? nil : defaultLiteral
        if isLazy(isKey: isKey, value) { arguments.append("lazyInitializable: true") }
        let attribute = arguments.isEmpty ? "" : "@Column(\(arguments.joined(separator: ", "))) "
        let keyword = isKey || column.generation != nil ? "let" : "var"
        let optional = isOptional ? "?" : ""
        let name = Keywords.escaped(property)
        guard let value else { return "\(attribute)\(keyword) \(name): \(type.name)\(optional)" }
        let isPlain = !isOptional && ["String", "Int", "Bool", "Double"].contains(type.name)
        return
            "\(attribute)\(keyword) \(name)\(isPlain ? "" : ": \(type.name)\(optional)") = \(value)"
    }

    /// A default that Swift cannot express is left to the database.
    private func isLazy(isKey: Bool, _ value: String?) -> Bool {
        !isKey && !isOptional && column.generation == nil && column.defaultSQL != nil
            && value == nil
    }

    /// The column's default in Swift, where it is a plain value of the type.
    private var defaultLiteral: String? {
        guard column.generation == nil, let sql = column.defaultSQL, type.representation == nil
        else { return nil }
        let pieces = SQLPiece.pieces(sql).filter { !$0.isMark("(") && !$0.isMark(")") }
        let isNegative = pieces.count == 2 && pieces[0].isMark("-")
        guard let piece = pieces.last, pieces.count == 1 || isNegative else { return nil }
        let sign = isNegative ? "-" : ""
        switch (type.name, piece.kind) {
        case ("String", .string) where !isNegative: return swiftLiteral(piece.name)
        case ("Int", .number): return Int64(piece.text).map { "\(sign)\($0)" }
        case ("Double", .number): return Double(piece.text).flatMap(Self.literal).map { sign + $0 }
        case ("Bool", .number):
            return piece.text == "0" ? "false" : piece.text == "1" ? "true" : nil
        case ("Bool", .word) where piece.isWord("true", "false"): return piece.text.asciiLowercased
        default: return nil
        }
    }

    private static func literal(_ number: Double) -> String? {
        number.isFinite ? "\(number)" : nil
    }
}

/// The Swift type of a column's values, and how it is stored.
struct SwiftType: Equatable {
    var name: String
    var representation: String?

    init(_ name: String, as representation: String? = nil) {
        self.name = name
        self.representation = representation
    }

    /// - Parameter stored: The storage class of a value that is there; nil without rows.
    init(_ column: DatabaseColumn, isStrict: Bool, stored: String?) {
        let affinity = ColumnAffinity(declared: column.type, isStrict: isStrict)
        let words = column.type.asciiLowercased
        let base = String(words.prefix { $0 != "(" && $0 != " " })
        switch (base, affinity) {
        case ("bool", .numeric), ("boolean", .numeric): self.init("Bool")
        case ("date", .numeric), ("datetime", .numeric), ("timestamp", .numeric):
            self.init("Date", as: Self.dateRepresentation(stored))
        case ("uuid", .numeric):
            self.init("UUID", as: stored == "blob" ? "UUID.BytesRepresentation" : nil)
        case ("jsonb", .numeric): self.init("Data")
        case ("json", .numeric): self.init(stored == "blob" ? "Data" : "String")
        case (_, .integer): self.init("Int")
        case (_, .real), (_, .numeric): self.init("Double")
        case (_, .text): self.init("String")
        case (_, .blob): self.init("Data")
        case (_, .none): self.init(Self.type(ofClass: stored))
        }
    }

    private static func dateRepresentation(_ stored: String?) -> String? {
        switch stored {
        case "integer": "Date.UnixTimeRepresentation"
        case "real": "Date.UnixTimeRepresentation.Subsecond"
        default: nil
        }
    }

    private static func type(ofClass stored: String?) -> String {
        switch stored {
        case "integer": "Int"
        case "real": "Double"
        case "blob": "Data"
        default: "String"
        }
    }
}
