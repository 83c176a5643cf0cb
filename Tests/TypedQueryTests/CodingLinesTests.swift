import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Log.TableColumns, Report.TableColumns, Report.Kind.TableColumns)

/// A document whose values are stored in forms of their own.
@Selection struct Report: Codable, Hashable {
    @Column("made_at", as: Date.UnixTimeRepresentation.self) var madeAt: Date
    var author: UUID
    @Column(as: [String].JSONRepresentation.self) var lines: [String] = []
    var isOpen = true
    var kind: Kind?
    @Selection enum Kind: Codable, Hashable {
        case note(String)
        case image(Report.Picture)
        case empty
    }
    @Selection struct Picture: Codable, Hashable { var caption = ""; var width: Int? }
}
@Table struct Log: Identifiable {
    let id: Int
    @Column(as: Report.JSONRepresentation.self) var report: Report
    @Column(as: Report.Kind.JSONRepresentation.self) var last: Report.Kind
    var kind: Report.Kind?
    var isRead = false
}
@Table(coding: .columns) struct Shelf: Codable, Equatable {
    @Column("shelf_id", primaryKey: true) let id: Int
    @Column(as: Date.UnixTimeRepresentation.self) var builtAt: Date
}

@Suite struct CodingLinesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    let report = Report(
        madeAt: Date(timeIntervalSince1970: 86_400), author: uuid(10), lines: ["a", "b"],
        kind: .note("x"))

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        let log = Log(
            id: 1, report: report, last: .image(.init(caption: "c")),
            kind: .image(Report.Picture(caption: "p", width: 3)), isRead: true)
        try queue.write { (db) throws in
            try db.execute(
                sql: """
                    CREATE TABLE logs (id INTEGER PRIMARY KEY, report TEXT, last TEXT,
                        note TEXT, caption TEXT, width INTEGER, empty INTEGER, isRead INTEGER)
                    """)
            try Log.insert { log }.execute(db)
        }
    }

    private func stored(_ column: String) throws -> String? {
        try queue.read { try String.fetchOne($0, sql: "SELECT \(column) FROM logs") }
    }

    @Test(.proves("SEL-018", "TEX-038"))
    func `documents hold what columns store`() throws {
        #expect(
            try stored("report")
                == """
                {"author":"00000000-0000-4000-8000-000000000010","isOpen":true,"kind":{"note":"x"},\
                "lines":["a","b"],"made_at":86400}
                """)
        try queue.read { (db) throws in
            #expect(try Log.find(db, key: 1).report == report)
            let made = Log.where { $0.report.jsonExtract(\.madeAt).eq(report.madeAt) }
            #expect(try made.fetchCount(db) == 1)
            let author = Log.where { $0.report.jsonExtract(\.author).eq(report.author) }
            #expect(try author.fetchCount(db) == 1)
        }
        let data: [String: Data] = ["d": Data([1, 255])]
        #expect(
            "\(#bind(data, as: [String: Data].JSONRepresentation.self).queryFragment)"
                == #"'{"d":"01ff"}'"#)
        let dates = #bind(["at": report.madeAt], as: [String: Date].JSONRepresentation.self)
        #expect("\(dates.queryFragment)" == #"'{"at":"1970-01-02 00:00:00.000"}'"#)
        #expect(
            sql(Log.self) { $0.report.jsonSet(\.isOpen, false) }
                == "json_set(`report`, '$.`isOpen`', json('false'))")
        let set = Log.update {
            $0.report = $0.report.jsonSet(\.author, uuid(11)).jsonSet(\.lines, ["z"])
        }
        #expect(set.text.contains("'$.`lines`', json('[`z`]')"))
        try queue.write { try set.execute($0) }
        #expect(try stored("report")?.contains("000000000011") == true)
        #expect(try queue.read { try Log.find($0, key: 1).report.lines } == ["z"])
    }

    @Test(.proves("TBL-029"))
    func `JSON has the names of the columns`() throws {
        let shelf = Shelf(id: 7, builtAt: Date(timeIntervalSince1970: 5))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(shelf), as: UTF8.self)
        #expect(text == #"{"builtAt":5,"shelf_id":7}"#)
        #expect(try JSONDecoder().decode(Shelf.self, from: Data(text.utf8)) == shelf)
        #expect(Shelf.CodingKeys.id.stringValue == "shelf_id")
        let kind = Report.Kind.image(.init(caption: "c", width: 1))
        let object = String(decoding: try encoder.encode(kind), as: UTF8.self)
        #expect(object == #"{"image":{"caption":"c","width":1}}"#)
        #expect(try JSONDecoder().decode(Report.Kind.self, from: Data(object.utf8)) == kind)
        let empty = String(decoding: try encoder.encode(Report.Kind.empty), as: UTF8.self)
        #expect(empty == #"{"empty":true}"#)
        #expect(try JSONDecoder().decode(Report.Kind.self, from: Data(empty.utf8)) == .empty)
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(Report.Kind.self, from: Data("{}".utf8))
        }
    }

    @Test(.proves("ENM-019"))
    func `a case in a document is an object of one key`() throws {
        #expect(try stored("last") == #"{"image":{"caption":"c"}}"#)
        #expect(sql(Log.self) { $0.last.jsonExtract(\.note) } == "json_extract(`last`, '$.`note`')")
        #expect(sql(Log.self) { $0.last.jsonSet(\.note, "v") } == "json_object('note', 'v')")
        #expect(
            sql(Log.self) { $0.report.jsonSet(\.kind.note, "v") }
                == "json_set(`report`, '$.`kind`', json_object('note', 'v'))")
        #expect(
            sql(Log.self) { $0.report.jsonExtract(\.kind.image.caption) }
                == "json_extract(`report`, '$.`kind`.`image`.`caption`')")
        try queue.write { (db) throws in
            #expect(try Log.select { $0.last.jsonExtract(\.image.caption) }.fetchAll(db) == ["c"])
            try Log.update { $0.last = $0.last.jsonReplace(\.note, "r") }.execute(db)
            #expect(try Log.find(db, key: 1).last == .image(.init(caption: "c")))
            try Log.update {
                $0.last = $0.last.jsonSet(\.note, "v")
                $0.report = $0.report.jsonSet(\.kind.image, Report.Picture(caption: "q"))
            }.execute(db)
            try Log.update { $0.last = $0.last.jsonReplace(\.note, "w") }.execute(db)
            let log = try Log.find(db, key: 1)
            #expect(log.last == .note("w") && log.report.kind == .image(.init(caption: "q")))
            // A second case would make a document that nothing reads.
            #expect(throws: QueryBuildingError.self) {
                try Log.update { $0.last = $0.last.jsonInsert(\.note, "x") }.execute(db)
            }
            #expect(throws: QueryBuildingError.self) {
                try Log.update { $0.report = $0.report.jsonSet(\.kind.image.caption, "x") }
                    .execute(db)
            }
        }
    }

    @Test(.proves("ENM-020"))
    func `rows with cases are documents that decode`() throws {
        let query = Log.select { $0.jsonObject() }
        #expect(
            query.text.contains(
                """
                'kind', CASE WHEN `logs`.`note` IS NOT NULL THEN json_object('note', \
                `logs`.`note`) WHEN (`logs`.`caption`, `logs`.`width`) IS NOT (NULL, NULL) THEN \
                json_object('image', json_object('caption', `logs`.`caption`, 'width', \
                `logs`.`width`)) WHEN `logs`.`empty` IS NOT NULL THEN json_object('empty', \
                json(CASE WHEN `logs`.`empty` THEN 'true' WHEN NOT `logs`.`empty` THEN 'false' END)\
                ) END
                """), "\(query.text)")
        let group = Log.select { $0.jsonGroupArray() }
        try queue.write { (db) throws in
            let kinds: [Report.Kind?] = [
                .image(.init(caption: "p", width: 3)), .note("n"), .empty, nil,
            ]
            for kind in kinds {
                try Log.update { $0.kind = kind }.execute(db)
                let log = try #require(try query.fetchOne(db))
                #expect(log.kind == kind && log.isRead && log.report == report)
                #expect(try group.fetchOne(db)?.map(\.kind) == [kind])
            }
        }
    }
}
