import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Dossier.TableColumns, Page.TableColumns, Link.TableColumns, Tint.TableColumns,
    Dossier.OuterColumns
)

/// A document with everything that a document may have.
@Selection struct Page: Codable, Hashable {
    var name = ""
    var isOpen = false
    var note: String?
    @Column("made_on") var madeOn = Date(timeIntervalSince1970: 0)
    @Column(as: Date.UnixTimeRepresentation.self) var seen = Date(timeIntervalSince1970: 0)
    @Column(as: [Link].JSONRepresentation.self) var links: [Link] = []
    @Column(as: [String: Int].JSONRepresentation.self) var counts: [String: Int] = [:]
    @Column(as: [String]?.JSONRepresentation.self) var tags: [String]?
    var key = Data()
    @Column(as: Tint?.JSONRepresentation.self) var tint: Tint?
}
@Selection struct Link: Codable, Hashable { var home = ""; var isSafe = true }
@Selection struct Tint: Codable, Hashable { var red = 0 }

@Table struct Dossier: Identifiable, Equatable {
    let id: Int
    @Column(as: Page.JSONRepresentation.self) var page: Page
    @Column(as: Page?.JSONBRepresentation.self) var copy: Page?
    @Column(as: [String].JSONRepresentation.self) var words: [String] = []
    @Column(as: [String: Int].JSONRepresentation.self) var counts: [String: Int] = [:]
    @Column(as: [Link].JSONRepresentation.self) var links: [Link] = []
    var parentID: Int?
}

@Suite struct JSONLinesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    static let page = Page(
        name: "it's", isOpen: true, note: nil, madeOn: Date(timeIntervalSince1970: 0.25),
        seen: Date(timeIntervalSince1970: 9), links: [Link(home: "a"), Link(home: "b", isSafe: false)],
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

    @Test(.proves("SEL-018", "TEX-038", "DEC-007"))
    func `documents have one form`() throws {
        let text = try queue.read { try String.fetchOne($0, sql: "SELECT page FROM dossiers WHERE id = 1") }
        #expect(
            text == #"{"counts":{"x":1,"y z":2},"isOpen":true,"key":"00ff","links":[{"home":"a","isSafe":true},{"home":"b","isSafe":false}],"made_on":"1970-01-01 00:00:00.250","name":"it's","seen":9,"tint":{"red":7}}"#)
        let dossier = try #require(try queue.read { try Dossier.find(1).fetchOne($0) })
        #expect(dossier.page == Self.page && dossier.copy == Self.page)
        // Paths and documents agree.
        #expect(try value { $0.page.jsonExtract(\.madeOn) } == Self.page.madeOn)
        #expect(try value { $0.page.jsonExtract(\.seen) } == Self.page.seen)
        #expect(try value { $0.page.jsonExtract(\.tint) } == Tint(red: 7))
        #expect(
            sql(Dossier.self) { $0.page.jsonSet(\.isOpen, false) }
                == "json_set(`page`, '$.`isOpen`', json('false'))")
        #expect(
            sql(Dossier.self) { $0.page.jsonSet(\.tint, Tint(red: 1)) }
                == "json_set(`page`, '$.`tint`', json('{`red`:1}'))")
        #expect(
            sql(Dossier.self) { $0.page.jsonSet(\.madeOn, Date(timeIntervalSince1970: 0)) }
                == "json_set(`page`, '$.`made_on`', '1970-01-01 00:00:00.000')")
        #expect(
            sql(Dossier.self) { $0.page.jsonSet(\.seen, Date(timeIntervalSince1970: 5)) }
                == "json_set(`page`, '$.`seen`', 5)")
        #expect(
            sql(Dossier.self) { $0.page.jsonSet(\.key, Data([1, 171])) }
                == "json_set(`page`, '$.`key`', '01ab')")
        #expect(try page { $0.page.jsonSet(\.key, Data([1, 171])) }?.key == Data([1, 171]))
        // The binary form is bound by a function, and read by one.
        let update = Dossier.find(1).update { $0.copy = Page(name: "a/b") }
        #expect(update.text.contains("SET `copy` = jsonb('{"))
        #expect(update.text.contains("a/b"))
        #expect(Dossier.select(\.copy).text == "SELECT json(`dossiers`.`copy`) FROM `dossiers`")
        try queue.write { try update.execute($0) }
        let stored = try queue.read { try String.fetchOne($0, sql: "SELECT typeof(copy) FROM dossiers") }
        #expect(stored == "blob")
        // JSON null is nil of an optional document.
        try queue.write { (db) throws in
            try db.execute(sql: "UPDATE dossiers SET copy = 'null' WHERE id = 1")
            #expect(try Dossier.find(1).select(\.copy).fetchOne(db) == .some(nil))
        }
    }

    @Test(.proves("TEX-034", "TEX-035"))
    func `documents are read by paths, with the type of what is there`() throws {
        let name: SQLQueryExpression<String> = Dossier.columns.page.jsonExtract(\.name)
        let home: SQLQueryExpression<String?> = Dossier.columns.page.jsonExtract(\.links[0].home)
        let note: SQLQueryExpression<String?> = Dossier.columns.page.jsonExtract(\.note)
        let word: SQLQueryExpression<String?> = Dossier.columns.words.jsonExtract(\.[-1])
        let count: SQLQueryExpression<Int?> = Dossier.columns.counts.jsonExtract(\.["m"])
        let red: SQLQueryExpression<Int?> = Dossier.columns.page.jsonExtract(\.tint.red)
        let copied: SQLQueryExpression<String?> = Dossier.columns.copy.jsonExtract(\.name)
        #expect(sql(Dossier.self) { _ in name } == "json_extract(`page`, '$.`name`')")
        #expect(sql(Dossier.self) { _ in home } == "json_extract(`page`, '$.`links`[0].`home`')")
        #expect(sql(Dossier.self) { _ in word } == "json_extract(`words`, '$[#-1]')")
        #expect(sql(Dossier.self) { _ in count } == "json_extract(`counts`, '$.`m`')")
        #expect(sql(Dossier.self) { $0.words.jsonExtract(\.self) } == "json_extract(`words`, '$')")
        #expect(try value { _ in name } == "it's")
        #expect(try value { _ in home } == "a")
        #expect(try value { _ in note } == .some(nil))
        #expect(try value { _ in word } == "a")
        #expect(try value { _ in count } == 1)
        #expect(try value { _ in red } == 7)
        #expect(try value(2) { _ in red } == .some(nil))
        #expect(try value(2) { _ in copied } == .some(nil))
        #expect(try value { $0.page.jsonExtract(\.counts["y z"]) } == 2)
        #expect(try value { $0.page.jsonExtract(\.links[5].home) } == .some(nil))
        #expect(try value { $0.words.jsonExtract(\.self) } == ["a", "b", "a"])
        // A truth value is 1 or 0 where it is compared.
        let open = Dossier.where { $0.page.jsonExtract(\.isOpen) }
        #expect(try queue.read { try open.select(\.id).fetchAll($0) } == [1])
        #expect(sql(Dossier.self) { $0.page.jsonExtract(\.isOpen).eq(true) }.hasSuffix(" = 1"))
        let shut = Dossier.where { $0.page.jsonExtract(\.isOpen).eq(false) }
        #expect(try queue.read { try shut.select(\.id).fetchAll($0) } == [2])
    }

    @Test(.proves("TEX-036"))
    func `parts are read in binary form, and become text where they are selected`() throws {
        #expect(
            Dossier.find(1).select { $0.page.jsonbExtract(\.links) }.text
                == """
                SELECT json(jsonb_extract(`dossiers`.`page`, '$.`links`')) FROM `dossiers` \
                WHERE `dossiers`.`id` = 1
                """)
        #expect(try value { $0.page.jsonbExtract(\.links) } == Self.page.links)
        #expect(try value { $0.page.jsonbExtract(\.name) } == "it's")
        let nested = Dossier.find(1).select { $0.page.jsonbExtract(\.links).jsonArrayLength() }
        #expect(
            nested.text.hasPrefix(
                "SELECT json_array_length(jsonb_extract(`dossiers`.`page`, '$.`links`')) FROM"))
        #expect(try queue.read { try nested.fetchOne($0) } == 2)
    }

    @Test(.proves("TEX-037"))
    func `documents are changed`() throws {
        #expect(try page { $0.page.jsonSet(\.name, "x").jsonSet(\.note, "y") }?.note == "y")
        #expect(
            sql(Dossier.self) { $0.page.jsonSet(\.name, "x").jsonSet(\.isOpen, true) }
                == "json_set(`page`, '$.`name`', 'x', '$.`isOpen`', json('true'))")
        #expect(
            sql(Dossier.self) { $0.page.jsonInsert(\.note, "n") }
                == "json_insert(`page`, '$.`note`', 'n')")
        #expect(try page { $0.page.jsonInsert(\.note, "n") }?.note == "n")
        #expect(try page { $0.page.jsonReplace(\.note, "n") }?.note == nil)
        #expect(try page { $0.page.jsonReplace(\.name, "n") }?.name == "n")
        #expect(try page { $0.page.jsonRemove(\.tint) }?.tint == nil)
        #expect(
            sql(Dossier.self) { $0.page.jsonRemove(\.tint).jsonRemove(\.note) }
                == "json_remove(`page`, '$.`tint`', '$.`note`')")
        #expect(sql(Dossier.self) { $0.words.jsonAppend("c") } == "json_insert(`words`, '$[#]', 'c')")
        #expect(
            sql(Dossier.self) { $0.page.jsonAppend(\.links, Link(home: "c")) }
                == "json_insert(`page`, '$.`links`[#]', json('{`home`:`c`,`isSafe`:true}'))")
        #expect(try page { $0.page.jsonAppend(\.links, Link(home: "c")) }?.links.last?.home == "c")
        #expect(
            sql(Dossier.self) { $0.page.jsonbSet(\.name, "x").jsonbRemove(\.note) }
                == "jsonb_remove(jsonb_set(`page`, '$.`name`', 'x'), '$.`note`')")
        #expect(sql(Dossier.self) { $0.page.jsonbInsert(\.note, "x") }.hasPrefix("jsonb_insert("))
        #expect(sql(Dossier.self) { $0.page.jsonbReplace(\.note, "x") }.hasPrefix("jsonb_replace("))
        #expect(sql(Dossier.self) { $0.words.jsonbAppend("x") }.hasPrefix("jsonb_insert("))
        let update = Dossier.find(1).update { $0.copy = $0.copy.jsonSet(\.name, "new") }
        #expect(update.text.contains("SET `copy` = jsonb_set(`dossiers`.`copy`, '$.`name`', 'new')"))
        try queue.write { try update.execute($0) }
        #expect(try queue.read { try Dossier.find(1).fetchOne($0)?.copy?.name } == "new")
    }

    @Test(.proves("TEX-039"))
    func `an element is put before another`() throws {
        #expect(
            sql(Dossier.self) { $0.words.jsonArrayInsert(\.[0], "v") }
                == """
                (SELECT json_group_array(json(`e`.`value`) ORDER BY `e`.`key`) FROM (SELECT \
                `json_each`.`key` AS `key`, `words` -> `json_each`.`fullkey` AS `value` FROM \
                json_each(`words`) UNION ALL SELECT -0.5, json_quote('v')) AS `e`)
                """)
        #expect(try value { $0.words.jsonArrayInsert(\.[0], "v") } == ["v", "a", "b", "a"])
        #expect(try value { $0.words.jsonArrayInsert(\.[2], "v") } == ["a", "b", "v", "a"])
        #expect(try value(2) { $0.words.jsonArrayInsert(\.[0], "v") } == ["v"])
        let inner = Dossier.columns.page.jsonArrayInsert(\.links[1], Link(home: "m"))
        #expect("\(inner.queryFragment)".hasPrefix(#"json_set("dossiers"."page", '$."links"', (SELECT"#))
        #expect(try value { _ in inner }?.links.map(\.home) == ["a", "m", "b"])
    }

    @Test(.proves("TEX-040"))
    func `arrays have lengths`() throws {
        let words: SQLQueryExpression<Int> = Dossier.columns.words.jsonArrayLength()
        let links: SQLQueryExpression<Int> = Dossier.columns.page.jsonArrayLength(\.links)
        let tags: SQLQueryExpression<Int?> = Dossier.columns.page.jsonArrayLength(\.tags)
        #expect(sql(Dossier.self) { _ in words } == "json_array_length(`words`)")
        #expect(sql(Dossier.self) { _ in links } == "json_array_length(`page`, '$.`links`')")
        #expect(try value { _ in words } == 3)
        #expect(try value { _ in links } == 2)
        #expect(try value { _ in tags } == .some(nil))
        #expect(try value(2) { _ in words } == 0)
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
        let sum = try value { $0.counts.jsonEach().where { $0.key.eq("n") }.select { $0.value.sum() } }
        #expect(sum == 2)
        let alias = Dossier.find(1).select { $0.words.jsonEach().as(N.self).select { $0.value.max() } }
        #expect(
            alias.text.contains("(SELECT max(`ns`.`value`) FROM json_each(`dossiers`.`words`) AS `ns`)"))
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
        let short = Dossier.where { $0.links.jsonEach().where { $0.home.eq("b") && !$0.isSafe }.exists() }
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
            sql(Dossier.self) { $0.counts.jsonPatch(["m": 5]) } == "json_patch(`counts`, json('{`m`:5}'))")
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
                try Dossier.select { $0.page.jsonExtract(\.isOpen).jsonGroupArray(order: $0.id) }.fetchOne($0)
            })
        #expect(flags == [true, false])
        let both = Dossier.leftJoin(Dossier.as(N.self).all) { $0.id.eq($1.parentID) }
            .select { _, c in c.jsonGroupArray(filter: c.id > 5) }
        #expect(both.text.contains("FILTER (WHERE `ns`.`id` IS NOT NULL AND `ns`.`id` > 5)"))
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
        #expect(packet.text.contains("'place', json_object('shelf', `packets`.`shelf`, 'box', `packets`.`box`)"))
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
                #expect(read.createdAt == plain.createdAt && read.seedsPerGram == plain.seedsPerGram)
            }
            let loans = try #require(
                try Loan.where { $0.id < 3 }.select { $0.jsonGroupArray(order: $0.id) }.fetchOne(db))
            #expect(loans.map(\.ticket) == [ticket(1), ticket(2)])
            let found = try #require(
                try trials.fetchAll(db).first { $0.0 == "Black Krim" })
            #expect(found.1.map(\.id.year).sorted() == [2023, 2024])
        }
    }
}
