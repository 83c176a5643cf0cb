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

    @Test(.proves("DEC-007"))
    func `documents have one form`() throws {
        let text = try queue.read {
            try String.fetchOne($0, sql: "SELECT page FROM dossiers WHERE id = 1")
        }
        #expect(
            text
                == #"{"counts":{"x":1,"y z":2},"isOpen":true,"key":"00ff","links":[{"home":"a","isSafe":true},{"home":"b","isSafe":false}],"made_on":"1970-01-01 00:00:00.250","name":"it's","tint":{"red":7}}"#
        )
        let dossier = try #require(try queue.read { try Dossier.find(1).fetchOne($0) })
        #expect(dossier.page == Self.page && dossier.copy == Self.page)
        // Paths and documents agree.
        #expect(try value { $0.page.jsonExtract(\.madeOn) } == Self.page.madeOn)
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
            sql(Dossier.self) { $0.page.jsonSet(\.key, Data([1, 171])) }
                == "json_set(`page`, '$.`key`', '01ab')")
        #expect(try page { $0.page.jsonSet(\.key, Data([1, 171])) }?.key == Data([1, 171]))
        // The binary form is bound by a function, and read by one.
        let update = Dossier.find(1).update { $0.copy = Page(name: "a/b") }
        #expect(update.text.contains("SET `copy` = jsonb('{"))
        #expect(update.text.contains("a/b"))
        #expect(Dossier.select(\.copy).text == "SELECT json(`dossiers`.`copy`) FROM `dossiers`")
        try queue.write { try update.execute($0) }
        let stored = try queue.read {
            try String.fetchOne($0, sql: "SELECT typeof(copy) FROM dossiers")
        }
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
        #expect(
            sql(Dossier.self) { $0.words.jsonAppend("c") } == "json_insert(`words`, '$[#]', 'c')")
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
        #expect(
            update.text.contains("SET `copy` = jsonb_set(`dossiers`.`copy`, '$.`name`', 'new')"))
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
        #expect(
            "\(inner.queryFragment)".hasPrefix(#"json_set("dossiers"."page", '$."links"', (SELECT"#)
        )
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
}
