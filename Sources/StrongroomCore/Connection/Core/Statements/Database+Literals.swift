// Values as SQL writes them, where it takes no arguments.

extension Database {
    /// A value as SQL writes it: `1`, `'O''Brien'`, `NULL`, `X'00FF'`.
    package func literal(_ dbValue: DatabaseValue) throws -> String {
        if case .double(let double) = dbValue.storage { return try literal(double) }
        return dbValue.exactLiteral ?? "NULL"
    }

    /// SQLite knows how to write a number so that it reads the same one, but for the largest ones.
    private func literal(_ double: Double) throws -> String {
        // Before SQLite 3.46 `quote` writes `Inf`, which SQL reads as a name, and DEFAULT as a text.
        if double.isInfinite { return double < 0 ? "-9e999" : "9e999" }
        let row = try Row.fetchOne(
            self, sql: "SELECT quote(?1) AS literal, CAST(quote(?1) AS REAL) = ?1 AS isSame",
            arguments: [double])
        guard let literal: String = try row?.decode(forColumn: "literal"),
            let isSame: Bool = try row?.decode(forColumn: "isSame"), isSame
        else { return double.description }
        return literal
    }
}
