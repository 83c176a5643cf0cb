/// The text that `@Record` generates: what reads and writes the properties, and names of columns.
package struct RecordExpansion {
    private let record: RecordDescription
    private let type: String

    /// - Parameters:
    ///   - type: The extended type, with those around it.
    ///   - missing: Which of `protocols` the type gets from nowhere else.
    /// - Returns: nil if the type has all of it.
    package static func text(
        of record: RecordDescription, type: String, missing: [String]
    ) -> String? {
        let expansion = RecordExpansion(record: record, type: type)
        let added = protocols.filter { name in
            (name == "FetchableRecord" ? record.isRead : record.isWritten) && missing.contains(name)
        }
        let members =
            (record.isRead && !record.hasReading ? expansion.reading : [])
            + (record.isWritten && !record.hasWriting ? expansion.writing : [])
            + (record.hasColumns ? [] : expansion.columns)
        guard !members.isEmpty || !added.isEmpty else { return nil }
        let conformances = added.isEmpty ? "" : ": " + added.map(name).joined(separator: ", ")
        return
            (record.availability + ["nonisolated extension \(type)\(conformances) {"]
            + members.map { "    " + $0 } + ["}"]).joined(separator: "\n")
    }

    /// What the macro declares that a record has.
    package static let protocols = ["FetchableRecord", "EncodableRecord"]

    private static func name(_ symbol: String) -> String { "\(Expansion.runtime).\(symbol)" }

    private var access: String { record.access.modifier }

    private var reading: [String] {
        let read = record.properties.filter { !$0.isConstant }
        let keys = read.map { swiftLiteral($0.key) }.joined(separator: ", ")
        let reader = Self.name("_PropertyReader")
        let lines = read.enumerated().map { index, property in
            let arguments = "row, \(index), \(swiftLiteral(property.key)), \\.\(property.escaped)"
            return "    self.\(property.escaped) = try properties.read(\(arguments))"
        }
        return ["\(access)init(row: \(Self.name("Row"))) throws {"]
            + (read.isEmpty
                ? [] : ["    let properties = \(reader)(row, of: \(type).self) { [\(keys)] }"])
            + lines + ["}"]
    }

    private var writing: [String] {
        let container = "inout \(Self.name("PersistenceContainer"))"
        let lines = record.properties.map { property in
            let key = swiftLiteral(property.key)
            return "    try properties.write(self.\(property.escaped), \(key), to: &container)"
        }
        return [
            "\(access)func encode(to container: \(container)) throws {",
            "    let properties = \(Self.name("_PropertyWriter"))(of: \(type).self)",
        ] + lines + ["}"]
    }

    /// Names by which the properties are written; a generic type cannot store them.
    private var columns: [String] {
        let lines = record.properties.map { property in
            let key = swiftLiteral(property.key)
            let column =
                record.isWritten
                ? "\(Self.name("_PropertyWriter"))(of: \(type).self).column(\(key))"
                : "\(Self.name("Column"))(\(key))"
            return record.isGeneric
                ? "    \(access)static var \(property.escaped): \(Self.name("Column")) { \(column) }"
                : "    \(access)static let \(property.escaped) = \(column)"
        }
        return ["\(access)enum Columns {"] + lines + ["}"]
    }
}
