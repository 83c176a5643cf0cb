extension TableSchema.Column {
    /// The SQL of a default that makes a random UUID, as the column stores it; nil for other types.
    ///
    ///     let id = TableSchema.Column("id", type: "UUID", affinity: .text)
    ///     try db.execute(
    ///         sql: "CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL DEFAULT (\(id.randomUUIDSQL!)))")
    ///
    /// It calls functions of SQLite alone: each program that writes to the file can use it.
    public var randomUUIDSQL: String? {
        guard type == "UUID" || type == "UUID?" else { return nil }
        let text = """
            hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) \
            || '-' || substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) \
            || '-' || hex(randomblob(6))
            """
        switch representation {
        case nil: return "lower(\(text))"
        case "UUID.UppercasedRepresentation": return text
        case "UUID.BytesRepresentation": return "unhex(replace(\(text), '-', ''))"
        default: return nil
        }
    }
}
