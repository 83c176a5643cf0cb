import Foundation
import Strongroom
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table
private struct Berth: Equatable {
    let id: Int
    var name = ""
    var depth = 0
}

/// Statements of a type that has a column more than its table.
@Suite struct MissingColumnTests {
    let database: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase("harbour") }
        database = try DatabaseQueue(configuration: configuration)
        try database.write {
            try $0.execute(
                sql: """
                    CREATE TABLE berths (id INTEGER PRIMARY KEY, name TEXT);
                    CREATE UNIQUE INDEX names ON berths (name);
                    INSERT INTO berths VALUES (1, 'North')
                    """)
        }
    }

    /// The message of the error that a statement throws.
    private func message(_ run: (Database) throws -> Void) throws -> String? {
        try database.write { db in
            do {
                try run(db)
                return nil
            } catch let error as DatabaseError {
                return error.message
            }
        }
    }

    @Test(.proves("RUN-016"))
    func `a column that a query reads must be in its table`() throws {
        let missing = "no such column: berths.depth"
        #expect(try message { _ = try Berth.fetchAll($0) } == missing)
        #expect(try message { _ = try Berth.select(\.depth).fetchAll($0) } == missing)
        #expect(try message { _ = try Berth.where { $0.depth > 2 }.fetchCount($0) } == missing)
        let sorted = Berth.order(by: \.depth).select(\.id)
        #expect(try message { _ = try sorted.fetchAll($0) } == missing)
        let groups = Berth.group(by: \.depth).select { $0.id.count() }
        #expect(try message { _ = try groups.fetchAll($0) } == missing)
    }

    @Test(.proves("RUN-016"))
    func `a column that a change names must be in its table`() throws {
        let set = Berth.update { $0.depth = 3 }
        #expect(try message { try set.execute($0) } == "no such column: depth")
        let read = Berth.where { $0.depth > 2 }.delete()
        #expect(try message { try read.execute($0) } == "no such column: berths.depth")
        let insert = Berth.insert { Berth(id: 2, name: "South", depth: 4) }
        #expect(try message { try insert.execute($0) } == "table berths has no column named depth")
        let removed = Berth.delete().returning(\.depth)
        #expect(
            try message { _ = try removed.fetchAll($0) } == "no such column: berths.depth")
        let kept = try database.read { try Berth.select(\.name).fetchAll($0) }
        #expect(kept == ["North"])
    }

    @Test(.proves("RUN-016"))
    func `a column that should fire a trigger must be in its table`() throws {
        let trigger = Berth.createTemporaryTrigger(
            after: .update {
                $0.depth
            } forEachRow: { _, new in
                Berth.find(new.id).delete()
            })
        #expect(try message { try trigger.execute($0) } == "no such column: berths.depth")
    }
}
