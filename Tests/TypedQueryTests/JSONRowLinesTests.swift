import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Dossier.TableColumns, Page.TableColumns, Link.TableColumns, Tint.TableColumns,
    Dossier.OuterColumns
)

@Suite struct JSONRowLinesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    static let page = Page(
        name: "it's", isOpen: true, note: nil, madeOn: Date(timeIntervalSince1970: 0.25),
        links: [Link(home: "a"), Link(home: "b", isSafe: false)],
        counts: ["x": 1, "y z": 2], tags: nil, key: Data([0, 255]), tint: Tint(red: 7))

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { (db) throws in
            try db.execute(
                sql: """
                    CREATE TABLE dossiers (id INTEGER PRIMARY KEY, page TEXT NOT NULL, copy BLOB,
                        words TEXT NOT NULL, counts TEXT NOT NULL, links TEXT NOT NULL,
                        parentID INTEGER)
                    """)
            try Dossier.insert {
                Dossier(
                    id: 1, page: Self.page, copy: Self.page, words: ["a", "b", "a"],
                    counts: ["m": 1, "n": 2], links: Self.page.links, parentID: nil)
                Dossier(id: 2, page: Page(), copy: nil, parentID: 1)
            }.execute(db)
        }
    }

    private func value<Value: QueryExpression>(
        _ id: Int = 1, _ expression: (Dossier.TableColumns) -> Value
    ) throws -> Value.QueryValue.QueryOutput? where Value.TermValue == Value.QueryValue {
        let term = expression(Dossier.columns)
        return try queue.read { try Dossier.find(id).select { _ in term }.fetchOne($0) }
    }

    /// The document after a change that is taken back.
    private func page(
        _ change: @escaping (Dossier.TableColumns) -> SQLQueryExpression<Page.JSONRepresentation>
    ) throws -> Page? {
        try value { change($0) }
    }

    @Test(.proves("TEX-043"))
    func `elements of documents are rows`() throws {
        let withB = Dossier.where { $0.words.jsonEach().where { $0.value.eq("b") }.exists() }
        #expect(
            withB.select(\.id).text
                == """
                SELECT `dossiers`.`id` FROM `dossiers` WHERE EXISTS (SELECT 1 FROM \
                json_each(`dossiers`.`words`) WHERE `json_each`.`value` = 'b')
                """)
        #expect(try queue.read { try withB.select(\.id).fetchAll($0) } == [1])
        #expect(try value { $0.words.jsonEach().count() } == 3)
        #expect(try value(2) { $0.words.jsonEach().count() } == 0)
        // NULL has no elements.
        #expect(try value(2) { $0.copy.jsonEach(\.links).count() } == 0)
        let sum = try value {
            $0.counts.jsonEach().where { $0.key.eq("n") }.select { $0.value.sum() }
        }
        #expect(sum == 2)
        let alias = Dossier.find(1).select {
            $0.words.jsonEach().as(N.self).select { $0.value.max() }
        }
        #expect(
            alias.text.contains(
                "(SELECT max(`ns`.`value`) FROM json_each(`dossiers`.`words`) AS `ns`)"))
        #expect(try queue.read { try alias.fetchOne($0) } == "b")
        let path = Dossier.where {
            $0.page.jsonEach(\.links).where { $0.value.jsonExtract(\.home).eq("b") }.exists()
        }
        #expect(
            path.text.hasSuffix(
                """
                EXISTS (SELECT 1 FROM json_each(`dossiers`.`page`, '$.`links`') WHERE \
                json_extract(`json_each`.`value`, '$.`home`') = 'b')
                """))
        let short = Dossier.where {
            $0.links.jsonEach().where { $0.home.eq("b") && !$0.isSafe }.exists()
        }
        #expect(try queue.read { try path.select(\.id).fetchAll($0) } == [1])
        #expect(try queue.read { try short.select(\.id).fetchAll($0) } == [1])
        #expect(short.text.contains("json_extract(`json_each`.`value`, '$.`home`') = 'b'"))
    }

    @Test(.proves("TEX-044"))
    func `a row is joined with each of its elements`() throws {
        let pairs = Dossier.join(Dossier.columns.words.jsonEach()) { _, _ in true }
            .join(Dossier.columns.words.jsonEach().as(N.self)) { _, a, b in a.key < b.key }
            .order { _, a, b in (a.key, b.key) }.select { ($0.id, $1.value, $2.value) }
        let rows = try queue.read { try pairs.fetchAll($0) }
        #expect(rows.map { $0.1 + $0.2 } == ["ab", "aa", "ba"])
        #expect(pairs.text.contains("JOIN json_each(`dossiers`.`words`) AS `ns` ON"))
        let outer = Dossier.leftJoin(Dossier.columns.words.jsonEach()) { _, _ in true }
            .order { d, w in (d.id, w.key) }.select { ($0.id, $1.key, $1.value) }
        let all: [(Int, Int?, String?)] = try queue.read { try outer.fetchAll($0) }
        #expect(all.map(\.0) == [1, 1, 1, 2] && all.map(\.2) == ["a", "b", "a", nil])
    }

    @Test(.proves("TEX-046"))
    func `documents are patched, and operators of JSON stand in SQL`() throws {
        #expect(
            sql(Dossier.self) { $0.counts.jsonPatch(["m": 5]) }
                == "json_patch(`counts`, json('{`m`:5}'))")
        #expect(try value { $0.counts.jsonPatch(["m": 5]) } == ["m": 5, "n": 2])
        #expect(sql(Dossier.self) { $0.copy.jsonPatch(nil) } == "jsonb_patch(`copy`, NULL)")
        let name = Dossier.find(1).select { #sql("\($0.copy) ->> '$.name'", as: String?.self) }
        #expect(try queue.read { try name.fetchOne($0) } == "it's")
    }

    @Test(.proves("TEX-041", "TEX-042"))
    func `rows and values become documents`() throws {
        let children = Dossier.leftJoin(Dossier.as(N.self).all) { $0.id.eq($1.parentID) }
            .group { d, _ in d.id }.order { d, _ in d.id }
            .select { d, c in (d.id, c.jsonGroupArray(), c.id.jsonGroupArray()) }
        #expect(children.text.contains("FILTER (WHERE `ns`.`id` IS NOT NULL)"))
        let rows: [(Int, [Dossier], [Int?])] = try queue.read { try children.fetchAll($0) }
        #expect(rows.map { $0.1.map(\.id) } == [[2], []] && rows.map(\.2) == [[2], []])
        #expect(rows[0].1[0].page == Page())
        let own = try #require(try value { $0.jsonObject() })
        #expect(own == (try queue.read { try Dossier.find(1).fetchOne($0) }))
        let filtered = Dossier.select {
            $0.words.jsonArrayLength().jsonGroupArray(
                distinct: true, order: $0.words.jsonArrayLength(), filter: $0.id > 0)
        }
        #expect(try queue.read { try filtered.fetchOne($0) } == [0, 3])
        let flags: [Bool] = try #require(
            try queue.read {
                try Dossier.select { $0.page.jsonExtract(\.isOpen).jsonGroupArray(order: $0.id) }
                    .fetchOne($0)
            })
        #expect(flags == [true, false])
        let both = Dossier.leftJoin(Dossier.as(N.self).all) { $0.id.eq($1.parentID) }
            .select { _, c in c.jsonGroupArray(filter: c.id > 5) }
        #expect(both.text.contains("FILTER (WHERE `ns`.`id` IS NOT NULL AND `ns`.`id` > 5)"))
    }

    @Test(.proves("TEX-041", "TEX-042"))
    func `keys of several columns tell rows that are missing, and groups are objects`() throws {
        // Keys of several columns, and tables without key.
        let trials = Variety.leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }
            .group { v, _ in v.id }.select { v, t in (v.name, t.jsonGroupArray()) }
        #expect(
            trials.text.contains(
                "FILTER (WHERE (`trials`.`varietyID`, `trials`.`year`) IS NOT (NULL, NULL))"))
        let traits = Variety.leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }
            .group { v, _ in v.id }.select { v, t in t.jsonGroupArray() }
        #expect(
            traits.text.contains(
                """
                FILTER (WHERE (`varietiesTraits`.`varietyID`, `varietiesTraits`.`traitCode`) IS \
                NOT (NULL, NULL))
                """))
        // Groups are objects, optional ones NULL where all their columns are.
        let packet = Packet.find(3).select { $0.jsonObject() }
        #expect(
            packet.text.contains(
                "'place', json_object('shelf', `packets`.`shelf`, 'box', `packets`.`box`)"))
        #expect(
            packet.text.contains(
                """
                'germination', CASE WHEN (`packets`.`sown`, `packets`.`sprouted`, \
                `packets`.`testedAt`) IS NOT (NULL, NULL, NULL) THEN json_object(
                """))
        let library = try SeedLibrary()
        try library.queue.read { (db) throws in
            for id in [1, 3] {
                let read = try #require(try Packet.find(id).select { $0.jsonObject() }.fetchOne(db))
                let plain = try Packet.find(db, key: id)
                #expect(read.place == plain.place && read.germination == plain.germination)
                #expect(
                    read.createdAt == plain.createdAt && read.seedsPerGram == plain.seedsPerGram)
            }
            let loans = try #require(
                try Loan.where { $0.id < 3 }.select { $0.jsonGroupArray(order: $0.id) }.fetchOne(db)
            )
            #expect(loans.map(\.ticket) == [ticket(1), ticket(2)])
            let found = try #require(
                try trials.fetchAll(db).first { $0.0 == "Black Krim" })
            #expect(found.1.map(\.id.year).sorted() == [2023, 2024])
        }
    }
}
