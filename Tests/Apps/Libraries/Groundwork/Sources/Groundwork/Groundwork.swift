public import GRDB

/// One step of a schema, which a library hands to its app.
public struct Step: Sendable {
    public let name: String
    let apply: @Sendable (Database) throws -> Void

    public init(_ name: String, _ apply: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.apply = apply
    }

    /// A table with an integer key and columns of text.
    public static func table(_ name: String, _ columns: [String]) -> Step {
        Step("create \(name)") { db in
            try db.create(table: name, options: [.strict]) { table in
                table.autoIncrementedPrimaryKey("id")
                for column in columns { table.column(column, .text).notNull().defaults(to: "") }
            }
        }
    }

    /// Rows without their keys; a column that is missing in the table is an error.
    public static func seed(_ table: String, _ rows: [[String: String]]) -> Step {
        Step("seed \(table)") { db in try db.seed(table, rows) }
    }
}

/// A seed names a column that the table does not have.
public struct UnknownColumns: Error, Equatable {
    public let names: Set<String>
}

extension DatabaseMigrator {
    /// Registers the steps of a library under names of its own.
    public mutating func register(_ steps: [Step], prefix: String) {
        for step in steps {
            registerMigration("\(prefix): \(step.name)", migrate: step.apply)
        }
    }

    /// The steps that the next migration would apply.
    public func pending(_ reader: any DatabaseReader) throws -> [String] {
        let applied = try reader.read { try Set(appliedIdentifiers($0)) }
        return migrations.filter { !applied.contains($0) }
    }
}

extension Database {
    /// Inserts all rows, or none.
    public func seed(_ table: String, _ rows: [[String: String]]) throws {
        let known = try Set(columns(in: table).map(\.name))
        try inSavepoint {
            for row in rows {
                let unknown = Set(row.keys).subtracting(known)
                guard unknown.isEmpty else { throw UnknownColumns(names: unknown) }
                let cells = row.sorted { $0.key < $1.key }
                let list = cells.map { "\"\($0.key)\"" }.joined(separator: ", ")
                let statement = try cachedStatement(
                    sql: """
                        INSERT INTO "\(table)"(\(list)) VALUES (\(databaseQuestionMarks(count: cells.count)))
                        """)
                try statement.execute(arguments: StatementArguments(cells.map(\.value)))
            }
            return .commit
        }
    }
}
