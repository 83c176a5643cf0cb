import StrongroomTables
import StrongroomTestSupport
import Testing

// Tables in the places where apps and libraries put them.

@Table private struct Buoy<Owner>: Identifiable {
    let id: Int
    var name = ""
}
private enum Port {
    @Table public struct Ship: Identifiable {
        public let id: Int
        public var name = ""
        public var sailors = 0
    }
    fileprivate enum Dock {
        @Table fileprivate struct Crane: Identifiable {
            let id: Int
            var load: Int?
        }
    }
}
struct Harbour<Owner> {
    @Table("berths") public struct Berth: Identifiable {
        public let id: Int
        public var length = 10
    }
}

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Port.Ship.TableColumns, Port.Dock.Crane.TableColumns, Harbour<Int>.Berth.TableColumns
)

// Code of a library that knows nothing of a table.

private func rows<T: StrongroomTables.Table>(
    _ type: T.Type, where condition: (T.TableColumns) -> some QueryExpression<Bool>
) -> some SelectStatement<T> {
    T.where { condition($0) }
}
private func names<T: StrongroomTables.Table>(
    _ type: T.Type, _ column: (T.TableColumns) -> TableColumn<String>, limit: Int? = nil
) -> some StrongroomTables.Statement<String> {
    T.order { column($0) }.select { column($0) }.limit(limit)
}
private func lastKeyFirst<T: PrimaryKeyedTable>(_ type: T.Type) -> some SelectStatement<T> {
    T.order { $0.primaryKey.desc() }
}
private func row<T: PrimaryKeyedTable>(
    _ type: T.Type, key: T.PrimaryKey.Unwrapped.QueryOutput
) -> Where<T> {
    T.find(key)
}
private func removal<T: PrimaryKeyedTable>(
    _ type: T.Type, where condition: (T.TableColumns) -> some QueryExpression<Bool>
) -> Delete<T> {
    T.where { condition($0) }.delete()
}

@Suite struct OpenTablesTests {
    private let fixture: FixtureDatabase
    private let database: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        database = try fixture.open()
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE buoys (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                    CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                        sailors INTEGER NOT NULL);
                    CREATE TABLE cranes (id INTEGER PRIMARY KEY, load INTEGER);
                    CREATE TABLE berths (id INTEGER PRIMARY KEY, length INTEGER NOT NULL);
                    INSERT INTO ships VALUES (1, 'Bee', 9), (2, 'Ant', 2), (3, 'Cat', 5)
                    """)
        }
    }

    @Test(.proves("TYP-11"))
    func `a generic table needs no where clause`() throws {
        try database.write { db in
            try Buoy<Port>.insert { Buoy<Port>.Draft(name: "red") }.execute(db)
            #expect(try Buoy<Port>.all.fetchAll(db).map(\.name) == ["red"])
        }
    }

    @Test(.proves("TYP-11"))
    func `a table may be more visible than the type around it`() throws {
        try database.write { db in
            #expect(try Port.Ship.where { $0.sailors > 4 }.fetchCount(db) == 2)
            try Port.Dock.Crane.insert { Port.Dock.Crane.Draft(load: 7) }.execute(db)
            #expect(try Port.Dock.Crane.select(\.load).fetchAll(db) == [7])
            try Harbour<Int>.Berth.insert { Harbour<Int>.Berth.Draft() }.execute(db)
            #expect(try Harbour<Int>.Berth.select(\.length).fetchAll(db) == [10])
        }
    }

    @Test(.proves("TYP-11"))
    func `generic code calls closures with the columns of a table`() throws {
        try database.write { db in
            let large = rows(Port.Ship.self) { $0.sailors > 4 }
            #expect(
                large.text == "SELECT `ships`.`id`, `ships`.`name`, `ships`.`sailors` "
                    + "FROM `ships` WHERE `ships`.`sailors` > 4")
            #expect(try large.fetchAll(db).map(\.name) == ["Bee", "Cat"])
            #expect(try names(Port.Ship.self) { $0.name }.fetchAll(db) == ["Ant", "Bee", "Cat"])
            #expect(try names(Port.Ship.self, { $0.name }, limit: 1).fetchAll(db) == ["Ant"])
            #expect(try lastKeyFirst(Port.Ship.self).fetchAll(db).map(\.id) == [3, 2, 1])
            #expect(try row(Port.Ship.self, key: 2).fetchOne(db)?.name == "Ant")
            try removal(Port.Ship.self) { $0.name.eq("Cat") }.execute(db)
            #expect(try lastKeyFirst(Port.Ship.self).fetchAll(db).map(\.id) == [2, 1])
        }
    }

    @Test(.proves("TYP-11"))
    func `a query is a variable, and a result of a function`() throws {
        func fewest(_ count: Int?) -> some SelectStatement<Port.Ship> {
            var query = Port.Ship.order(by: \.sailors).limit(nil)
            query = query.where { $0.id > 0 }
            if let count { query = query.limit(count) }
            return query
        }
        func text(_ query: some SelectStatement<Port.Ship>) throws -> [String] {
            try database.read { try query.fetchAll($0) }.map(\.name)
        }
        #expect(try text(fewest(nil)) == ["Ant", "Cat", "Bee"])
        #expect(try text(fewest(2)) == ["Ant", "Cat"])
        #expect(try text(Port.Ship.where { $0.sailors < 3 }) == ["Ant"])
    }
}
