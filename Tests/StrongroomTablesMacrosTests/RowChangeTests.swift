import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, Trial.TableColumns,
    Member.TableColumns
)

@Suite struct RowChangeTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func packet(_ id: Int) throws -> Packet {
        try #require(try library.queue.read { try Packet.find(id).fetchOne($0) })
    }

    @Test(.proves("BYD-026"))
    func `the columns that differ are written, and told`() throws {
        let old = try packet(1)
        var changed = old
        #expect(Packet.update(changed, from: old).debugSQL.isEmpty)
        #expect(changed.changes(from: old).isEmpty)
        changed.isOpen = true
        #expect(changed.changes(from: old).isEmpty)
        changed.seeds = 39
        changed.place.box = 3
        changed.test = nil
        let rows = try library.run(
            Packet.update(changed, from: old),
            """
            UPDATE "packets" SET "seeds" = 39, "box" = 3, "sown" = NULL, "sprouted" = NULL \
            WHERE "packets"."id" = 1
            """, then: "SELECT seeds, shelf, box, sown FROM packets WHERE id = 1")
        #expect(rows == [["39", "A", "3", "NULL"]])
        let changes = changed.changes(from: old)
        #expect(changes.map(\.name) == ["seeds", "box", "sown", "sprouted"])
        #expect(changes.map(\.property) == ["seeds", "place.box", "test.sown", "test.sprouted"])
        #expect(changes[0].old == 120.databaseValue && changes[0].new == 39.databaseValue)
        #expect(changes[2].old == 10.databaseValue && changes[2].new == .null)
        var trial = Trial(id: Trial.ID(variety: 1, year: 2024), score: 9, plot: "east")
        let before = trial
        trial.plot = "west"
        #expect(
            Trial.update(or: .ignore, trial, from: before).debugSQL == """
                UPDATE OR IGNORE "trials" SET "plot" = 'west' \
                WHERE ("trials"."variety", "trials"."year") = (1, 2024)
                """)
    }

    @Test(.proves("BYD-027"))
    func `a row that has changed meanwhile is not overwritten`() throws {
        let old = try packet(1)
        var changed = old
        changed.seeds = 39
        changed.grams = nil
        let update = Packet.update(changed, ifUnchangedFrom: old)
        let sql = """
            UPDATE "packets" SET "seeds" = 39, "grams" = NULL WHERE "packets"."id" = 1 \
            AND "packets"."seeds" IS 120 AND "packets"."grams" IS 2.0
            """
        let rows = try library.run(
            update, sql, then: "SELECT seeds, grams FROM packets WHERE id = 1")
        #expect(rows == [["39", "NULL"]])
        let error = try #require(throws: RowChanged.self) {
            try library.queue.write { try update.execute($0) }
        }
        #expect(error.table == "packets")
        #expect(error.description == "the row of \"packets\" has changed since it was read")
        let generic: any StrongroomTables.ChangingStatement = update
        #expect(throws: RowChanged.self) { try library.queue.write { try generic.execute($0) } }
        // Columns that this change leaves alone may have changed.
        var moved = try packet(1)
        let read = moved
        moved.seeds = 40
        try library.queue.write { try Packet.find(1).update { $0.place.box = 9 }.execute($0) }
        try library.queue.write { try Packet.update(moved, ifUnchangedFrom: read).execute($0) }
        #expect(try packet(1).place.box == 9)
        #expect(try packet(1).seeds == 40)
        // NULL is compared, too; a row that is gone is not found; no change is no error.
        var empty = try packet(1)
        let without = empty
        empty.grams = 1
        try library.queue.write { try Packet.update(empty, ifUnchangedFrom: without).execute($0) }
        try library.queue.write { db in
            try Packet.find(1).delete().execute(db)
            #expect(throws: RowChanged.self) {
                try Packet.update(without, ifUnchangedFrom: empty).execute(db)
            }
            try Packet.update(empty, ifUnchangedFrom: empty).execute(db)
        }
    }

    @Test(.proves("BYD-028"))
    func `a row is found or inserted by one statement`() throws {
        try library.queue.write { db in
            try db.execute(
                sql: """
                    CREATE UNIQUE INDEX names ON taxons (name);
                    CREATE TABLE log (what TEXT);
                    CREATE TRIGGER t AFTER UPDATE ON taxons
                        BEGIN INSERT INTO log VALUES (new.name); END;
                    """)
        }
        let statements = try library.queue.write { db in
            try db.capturedSQL {
                let found = try Taxon.findOrInsert(db, by: { $0.name }) {
                    Taxon.Draft(name: "Capsicum", rank: .species)
                }
                #expect(found == Taxon(id: 2, name: "Capsicum", rank: .genus, parentID: 1))
                #expect(db.changesCount == 1)
            }
        }
        #expect(
            statements.filter { $0.hasPrefix("INSERT INTO \"taxons\"") }.map {
                $0.contains(
                    """
                    ON CONFLICT ("name") DO UPDATE SET "name" = "taxons"."name" \
                    RETURNING "id", "name", "rank", "parentID"
                    """)
            } == [true])
        #expect(
            try library.queue.read { try library.rows("SELECT * FROM log", $0) } == [["Capsicum"]])
        let made = try library.queue.write { db in
            try Taxon.findOrInsert(db, by: { $0.name }) { Taxon.Draft(name: "Beta") }
        }
        #expect(made.name == "Beta" && made.id > 2)
        let trial = try library.queue.write { db in
            try Trial.findOrInsert(db, by: { $0.id }) {
                Trial(id: Trial.ID(variety: 1, year: 2024), score: 1)
            }
        }
        #expect(trial.score == 9)
        #expect(throws: QueryBuildingError.self) {
            try library.queue.write { db in
                _ = try Taxon.findOrInsert(db, by: { $0.name }) {
                    Taxon.Draft(name: "x")
                    Taxon.Draft(name: "y")
                }
            }
        }
        #expect(try library.queue.read { try Taxon.where { $0.name.eq("x") }.fetchCount($0) } == 0)
    }

    @Test(.proves("TBL-002"))
    func `a row has its key`() throws {
        func isKeyed<T: PrimaryKeyedTable<Key>, Key>(_ type: T.Type, by key: Key.Type) -> Bool {
            !T._layout.columns.filter { $0.options.contains(.primaryKey) }.isEmpty
        }
        #expect(isKeyed(Packet.self, by: Int.self) && isKeyed(Trait.self, by: String.self))
        #expect(isKeyed(Trial.self, by: Trial.ID.self))
        #expect(try packet(3).primaryKey == 3)
        #expect(Trait(code: "hot").primaryKey == "hot")
        #expect(
            Trial(id: Trial.ID(variety: 1, year: 2)).primaryKey == Trial.ID(variety: 1, year: 2))
        let key: Int? = Optionally(id: nil).primaryKey
        #expect(key == nil)
        #expect(Packet.columns.primaryKey.queryFragment.description == #""packets"."id""#)
        #expect(
            Trial.columns.primaryKey.queryFragment.description
                == #""trials"."variety", "trials"."year""#)
    }
}
