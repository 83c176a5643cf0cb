import Strongroom
import StrongroomTestSupport
import Testing

/// Every filter of events and every region against every kind of change, with a rule as the witness.
@Suite struct ObservedKindsTests {
    /// A region: the rows (nil for all) of columns of tables.
    struct Region: Sendable {
        var name: String
        var columns: [String: Set<String>]
        var row: Int64?
        var region: @Sendable (Database) throws -> DatabaseRegion

        /// The rule for `notifyChanges(in:)`: an event may have happened in the region.
        func concerns(_ filter: Filter) -> Bool {
            columns.contains { table, columns in
                filter.asks(.insert(tableName: table)) || filter.asks(.delete(tableName: table))
                    || columns.contains {
                        filter.asks(.update(tableName: table, columnNames: [$0]))
                    }
            }
        }

        /// The rule for a change.
        func concerns(_ change: Change) -> Bool {
            guard let columns = columns[change.kind.tableName] else { return false }
            if let row, !change.rows.contains(row) { return false }
            guard case .update(_, let changed) = change.kind else { return true }
            return !columns.isDisjoint(with: changed)
        }
    }

    struct Filter: Sendable {
        var name: String
        var asks: @Sendable (DatabaseEventKind) -> Bool
    }

    struct Change: Sendable {
        var sql: String
        var kind: DatabaseEventKind
        var rows: Set<Int64>
    }

    private static let regions = [
        Region(name: "all", columns: ["t": all, "u": all], row: nil) { _ in .fullDatabase },
        Region(name: "none", columns: [:], row: nil) { _ in DatabaseRegion() },
        Region(name: "t", columns: ["t": all], row: nil, region: Table("t").databaseRegion),
        Region(name: "u", columns: ["u": all], row: nil, region: Table("u").databaseRegion),
        Region(
            name: "t.a", columns: ["t": ["a"]], row: nil,
            region: Table("t").select(Column("a")).databaseRegion),
        Region(
            name: "u.b", columns: ["u": ["b"]], row: nil,
            region: Table("u").select(Column("b")).databaseRegion),
        Region(
            name: "t[1]", columns: ["t": all], row: 1,
            region: Table("t").filter(key: 1).databaseRegion),
        Region(name: "t.b and u", columns: ["t": ["b"], "u": all], row: nil) { db in
            try Table("t").select(Column("b")).databaseRegion(db)
                .union(Table("u").databaseRegion(db))
        },
    ]
    private static let all: Set<String> = ["id", "a", "b"]

    private static let filters = [
        Filter(name: "all") { _ in true },
        Filter(name: "none") { _ in false },
        Filter(name: "t") { $0.tableName == "t" },
        Filter(name: "inserted t") { if case .insert("t") = $0 { true } else { false } },
        Filter(name: "deleted u") { if case .delete("u") = $0 { true } else { false } },
        Filter(name: "updated") { if case .update = $0 { true } else { false } },
        Filter(name: "t.a") {
            if case .update("t", let columns) = $0 { columns.contains("a") } else { false }
        },
        Filter(name: "only t.b") {
            if case .update("t", let columns) = $0 { columns == ["b"] } else { false }
        },
    ]

    private static let changes = ["t", "u"].flatMap { table in
        [
            Change(
                sql: "INSERT INTO \(table) VALUES (3, 0, 0)", kind: .insert(tableName: table),
                rows: [3]),
            Change(
                sql: "DELETE FROM \(table) WHERE id = 1", kind: .delete(tableName: table),
                rows: [1]),
            Change(sql: "DELETE FROM \(table)", kind: .delete(tableName: table), rows: [1, 2]),
        ]
            + [["a"], ["b"], ["a", "b"]].flatMap { columns in
                [Set<Int64>([1]), [2], [1, 2]].map { rows in
                    let values = columns.map { "\($0) = \($0) + 1" }.joined(separator: ", ")
                    let list = rows.map { "\($0)" }.joined(separator: ", ")
                    return Change(
                        sql: "UPDATE \(table) SET \(values) WHERE id IN (\(list))",
                        kind: .update(tableName: table, columnNames: Set(columns)), rows: rows)
                }
            }
    }

    private final class Observer: TransactionObserver {
        let filter: Filter
        var events: Set<Int64> = []
        var isTold = false
        init(_ filter: Filter) { self.filter = filter }
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { filter.asks(eventKind) }
        func databaseDidChange() { isTold = true }
        func databaseDidChange(with event: DatabaseEvent) { events.insert(event.rowID) }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            for table in ["t", "u"] {
                try db.execute(
                    sql: """
                        CREATE TABLE \(table)(id INTEGER PRIMARY KEY, a, b);
                        INSERT INTO \(table) VALUES (1, 0, 0), (2, 0, 0)
                        """)
            }
        }
    }

    @Test(.proves("CMP-97"))
    func `A filter lets the events through for which it asks, and no other`() throws {
        for filter in Self.filters {
            let observer = Observer(filter)
            queue.add(transactionObserver: observer)
            for change in Self.changes {
                observer.events = []
                try queue.inTransaction { db in
                    try db.execute(sql: change.sql)
                    return .rollback
                }
                let told = filter.asks(change.kind) ? change.rows : []
                #expect(observer.events == told, "\(filter.name): \(change.sql)")
                #expect(!observer.isTold)
            }
            queue.remove(transactionObserver: observer)
        }
    }

    @Test(.proves("CMP-97"))
    func `Changes that are notified reach the filters that ask for one of them`() throws {
        for filter in Self.filters {
            let observer = Observer(filter)
            queue.add(transactionObserver: observer)
            for region in Self.regions {
                observer.isTold = false
                try queue.write { db in try db.notifyChanges(in: region.region(db)) }
                #expect(
                    observer.isTold == region.concerns(filter), "\(filter.name): \(region.name)")
            }
            queue.remove(transactionObserver: observer)
        }
    }

    @Test(.proves("CMP-97"))
    func `Observations of a region hear of the changes in it, and of no other`() throws {
        for region in Self.regions {
            let told = Collected()
            let tracked = try queue.read(region.region)
            let cancellable = DatabaseRegionObservation(tracking: tracked).start(in: queue) { _ in
            } onChange: { _ in
                told.add("told")
            }
            for change in Self.changes {
                let before = told.texts.count
                try queue.write { db in try db.execute(sql: change.sql) }
                #expect(
                    told.texts.count - before == (region.concerns(change) ? 1 : 0),
                    "\(region.name): \(change.sql)")
                try queue.write { db in
                    // As it was, and nobody hears of it twice.
                    for table in ["t", "u"] {
                        try db.execute(
                            sql: """
                                DELETE FROM \(table);
                                INSERT INTO \(table) VALUES (1, 0, 0), (2, 0, 0)
                                """)
                    }
                }
            }
            cancellable.cancel()
        }
    }
}
