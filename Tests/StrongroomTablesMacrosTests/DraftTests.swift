import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, Trial.TableColumns
)

@Table struct Meter: Equatable {
    let id: Int
    @Column(lazyInitializable: true) var count: Int
}

@Selection struct TraitCode { let code: String }

@Suite struct DraftTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TIN-014", "TBL-024", "TBL-026"))
    func `a draft has the properties of the row, and leaves the key to the database`() {
        let draft = Packet.Draft(seeds: 3)
        let key: Int? = draft.id
        let time: Date? = draft.createdAt
        #expect(key == nil && time == nil && draft.place == Place() && draft.grams == nil)
        let full = Packet.Draft(
            id: 1, seeds: 2, grams: 3, place: Place(), test: nil, createdAt: Date())
        #expect(full.id == 1)
        let trial: Trial.ID? = Trial.Draft(score: 1).id
        #expect(trial == nil)
        let optional: Int? = Optionally.Draft(name: "a").id
        #expect(optional == nil)
        let first: Int? = Lazy.Draft(second: 2).first
        let second: Int = Lazy.Draft(second: 2).second
        #expect(first == nil && second == 2)
        #expect(
            Lazy.insert { Lazy.Draft(second: 2) }.debugSQL
                == #"INSERT INTO "lazies" ("second", "third") VALUES (2, 1)"#)
    }

    @Test(.proves("TIN-015"))
    func `a draft copies a row, and has the conformances that it is given`() throws {
        let row = Taxon(id: 3, name: "Papaver", rank: .genus)
        var copy = Taxon.Draft(row)
        #expect(copy == Taxon.Draft(id: 3, name: "Papaver", rank: .genus, parentID: nil))
        copy.id = nil
        copy.name += " 2"
        let draft = copy
        let rows = try library.fetch(
            Taxon.insert { draft }.returning { ($0.id, $0.name) },
            """
            INSERT INTO "taxons" ("name", "rank", "parentID") VALUES ('Papaver 2', 'genus', NULL) \
            RETURNING "id", "name"
            """)
        #expect(rows[0] == (3, "Papaver 2"))
        func isSendable(_ value: some Sendable) {}
        isSendable(draft)
        isSendable(Packet.Draft(seeds: 1))
    }

    @Test
    func `drafts are queried as rows are`() throws {
        let drafts = try library.fetch(
            Taxon.Draft.where { $0.rank.eq(.family) },
            """
            SELECT "taxons"."id", "taxons"."name", "taxons"."rank", "taxons"."parentID" \
            FROM "taxons" WHERE "taxons"."rank" = 'family'
            """)
        #expect(drafts == [Taxon.Draft(id: 1, name: "Solanaceae", rank: .family)])
        let found = try library.queue.read { try Taxon.Draft.find(2).fetchOne($0) }
        #expect(found?.name == "Capsicum")
        #expect(try library.queue.read { try Taxon.Draft.all.fetchAll($0).count } == 2)
    }

    @Test(.proves("TIN-018"))
    func `rows that write different columns become several statements in one savepoint`() throws {
        let insert = Taxon.insert {
            Taxon.Draft(name: "A")
            Taxon.Draft(name: "B")
            Taxon(id: 50, name: "C")
            Taxon.Draft(name: "D")
        }
        #expect(insert.debugSQL.components(separatedBy: "; INSERT").count == 3)
        let returning = insert.returning { ($0.id, $0.name) }
        let rows = try library.queue.write { try returning.fetchAll($0) }
        #expect(rows.map(\.0) == [3, 4, 50, 51] && rows.map(\.1) == ["A", "B", "C", "D"])
        try library.queue.write { db in
            try Taxon.where { $0.id > 2 }.delete().execute(db)
            let cursor = try returning.fetchCursor(db)
            var names: [String] = []
            while let row = try cursor.next() { names.append(row.1) }
            #expect(names == ["A", "B", "C", "D"])
        }
        // A trigger has them all; what follows tables of a query is one statement.
        try library.queue.write { db in
            try Trait.createTemporaryTrigger("many", after: .insert { _ in insert }).execute(db)
            try Taxon.where { $0.id > 2 }.delete().execute(db)
            try Trait.insert { Trait(code: "fresh") }.execute(db)
            #expect(try Taxon.fetchCount(db) == 2 + 4)
            let within = With {
                Trait.select { TraitCode.Columns(code: $0.code) }
            } query: {
                insert
            }
            #expect(throws: DatabaseError.self) { try within.execute(db) }
            try Trait.find("fresh").delete().execute(db)
        }
        let failing = Trait.insert {
            Trait(code: "new")
            Trait.Draft(label: "no key")
        }
        try library.queue.write { db in
            #expect(throws: DatabaseError.self) { try failing.execute(db) }
            let count = try Trait.fetchCount(db)
            #expect(count == 2)
        }
    }

    @Test(.proves("TIN-019", "BYD-013"))
    func `more rows than one statement takes are inserted all or not at all`() throws {
        let insert = Taxon.insert { for n in 1...100_000 { Taxon.Draft(name: "n\(n)") } }
        try library.queue.write { db in
            let statements = try db.capturedSQL { try insert.execute(db) }
            let sizes = statements.filter { $0.hasPrefix("INSERT") }
                .map { $0.components(separatedBy: "('n").count - 1 }
            #expect(sizes.reduce(0, +) == 100_000)
            #expect(sizes.dropLast().allSatisfy { $0 == db.maximumStatementArgumentCount / 3 })
            #expect(try Taxon.fetchCount(db) == 100_002)
            #expect(try Taxon.where { $0.name.eq("n99999") }.fetchCount(db) == 1)
        }
        let failing = Trait.insert {
            for n in 1...20_000 { Trait(code: n == 20_000 ? "hot" : "c\(n)") }
        }
        try library.queue.write { db in
            #expect(throws: DatabaseError.self) { try failing.execute(db) }
            let count = try Trait.fetchCount(db)
            #expect(count == 2)
        }
        let returned = Taxon.insert { for n in 0..<40_000 { Taxon(id: 200_000 + n) } }
        let ids = try library.queue.write { try returned.returning(\.id).fetchAll($0) }
        #expect(ids == Array(200_000..<240_000))
    }

    @Test(.proves("TIN-020"))
    func `a draft of which nothing is given takes all defaults`() throws {
        try library.queue.write { db in
            try db.execute(
                sql: "CREATE TABLE meters (id INTEGER PRIMARY KEY, count INTEGER DEFAULT 7)")
        }
        let insert = Meter.insert {
            Meter.Draft()
            Meter.Draft()
        }
        let sql = #"INSERT INTO "meters" DEFAULT VALUES RETURNING "id", "count""#
        let rows = try library.fetch(insert.returning(\.self), "\(sql); \(sql)")
        #expect(rows == [Meter(id: 1, count: 7), Meter(id: 2, count: 7)])
    }

    @Test(.proves("TIN-021"))
    func `a key of several columns is one optional of a draft`() throws {
        let insert = Trial.insert {
            Trial.Draft(id: Trial.ID(variety: 6, year: 2025), score: 4, plot: "east")
        }
        _ = try library.run(
            insert,
            """
            INSERT INTO "trials" ("variety", "year", "score", "plot") VALUES (6, 2025, 4, 'east')
            """)
        let without = Trial.insert { Trial.Draft(score: 4, plot: "east") }
        #expect(
            without.debugSQL
                == #"INSERT INTO "trials" ("score", "plot") VALUES (4, 'east')"#)
        #expect(throws: DatabaseError.self) {
            try library.queue.write { try without.execute($0) }
        }
    }
}
