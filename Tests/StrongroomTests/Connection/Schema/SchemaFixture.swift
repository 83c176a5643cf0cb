import Strongroom
import StrongroomTestSupport

/// An encrypted database for definitions, and the SQL that they become.
struct SchemaFixture {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init(_ change: (inout Configuration) -> Void = { _ in }) throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open(change)
    }

    /// The statements that a closure runs, but for those of transactions. They stay done.
    func sql(_ body: (Database) throws -> Void) throws -> [String] {
        try queue.write { db in
            try db.capturedSQL { try body(db) }
                .filter { statement in
                    !["BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SELECT"]
                        .contains { statement.hasPrefix($0) }
                }
        }
    }

    /// The definition of a column, as it stands between the parentheses of its table.
    func column(_ define: (TableDefinition) throws -> Void) throws -> String {
        let statement = try sql { try $0.create(table: "t", body: define) }.first ?? ""
        try queue.write { try $0.drop(table: "t") }
        return String(statement.dropFirst(#"CREATE TABLE "t" ("#.count).dropLast())
    }

    /// The message of the error that a closure throws.
    func message(_ body: (Database) throws -> Void) throws -> String? {
        queue.writeWithoutTransaction { db in DatabaseError.thrown { try body(db) }?.message }
    }
}
