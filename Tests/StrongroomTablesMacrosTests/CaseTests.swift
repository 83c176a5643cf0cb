import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = Event.TableColumns

@Table enum Post: Equatable {
    case text(String)
    case number(Int)
}

@Suite struct CaseTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db in
            try Event.insert {
                Event(id: 1, kind: .note("a"))
                Event(id: 2, packetID: 1, kind: .loan(copies: 3))
                Event(id: 3, kind: .place(Place(shelf: "B", box: 2)))
                Event(id: 4, kind: .lost)
            }.execute(db)
        }
    }

    private func sql(_ condition: (Event.TableColumns) -> some QueryExpression) -> String {
        condition(Event.columns).queryFragment.description
    }

    private static let columns =
        #""events"."note", "events"."copies", "events"."shelf", "events"."box", "events"."isLost""#

    @Test(.proves("ENM-001", "ENM-003", "ENM-004"))
    func `each case has its columns, and those of the others are NULL`() throws {
        #expect(
            Event.select(\.kind).debugSQL == #"SELECT \#(Self.columns) FROM "events""#)
        let rows = try library.queue.read {
            try library.rows("SELECT note, copies, shelf, box, isLost FROM events ORDER BY id", $0)
        }
        #expect(
            rows == [
                ["a", "NULL", "NULL", "NULL", "NULL"], ["NULL", "3", "NULL", "NULL", "NULL"],
                ["NULL", "NULL", "B", "2", "NULL"], ["NULL", "NULL", "NULL", "NULL", "1"],
            ])
        let events = try library.queue.read { try Event.order(by: \.id).fetchAll($0) }
        #expect(
            events.map(\.kind) == [
                .note("a"), .loan(copies: 3), .place(Place(shelf: "B", box: 2)), .lost,
            ])
        let changed = try library.run(
            Event.find(3).update { $0.kind = .note("x") },
            """
            UPDATE "events" SET "note" = 'x', "copies" = NULL, "shelf" = NULL, "box" = NULL, \
            "isLost" = NULL WHERE "events"."id" = 3
            """, then: "SELECT note, shelf FROM events WHERE id = 3")
        #expect(changed == [["x", "NULL"]])
        #expect(
            Event.update(Event(id: 1, kind: .lost)).debugSQL.hasPrefix(
                #"UPDATE "events" SET "packetID" = NULL, "note" = NULL, "copies" = NULL"#))
        #expect(
            Event.upsert { Event(id: 1, kind: .lost) }.debugSQL.contains(
                #"VALUES (1, NULL, NULL, NULL, NULL, NULL, 1) ON CONFLICT"#))
    }

    @Test(.proves("ENM-002"))
    func `an enum may be a table`() throws {
        try library.queue.write { db in
            try db.execute(sql: "CREATE TABLE posts (text TEXT, number INTEGER)")
            try Post.insert {
                Post.text("a")
                Post.number(2)
            }.execute(db)
        }
        let posts = try library.fetch(
            Post.where { $0.number.isNot(nil) },
            """
            SELECT "posts"."text", "posts"."number" FROM "posts" WHERE "posts"."number" IS NOT NULL
            """)
        #expect(posts == [.number(2)])
    }

    @Test(.proves("ENM-005"))
    func `no case and two cases are errors`() throws {
        for (columns, words) in [("note = NULL", "NULL"), ("copies = 1", "are both set")] {
            let error = try #require(throws: QueryDecodingError.self) {
                try library.queue.write { db in
                    try db.execute(sql: "UPDATE events SET \(columns) WHERE id = 1")
                    _ = try Event.find(1).fetchOne(db)
                }
            }
            #expect(error.description.contains(words))
        }
        let both = try #require(throws: QueryDecodingError.self) {
            try library.queue.write { db in
                try db.execute(sql: "UPDATE events SET note = 'a', copies = 1 WHERE id = 1")
                _ = try Event.find(1).fetchOne(db)
            }
        }
        #expect(both.description.contains(#"cases "note" and "loan" are both set"#))
    }

    @Test(.proves("ENM-006"))
    func `the columns of one case are optional, and can be used anywhere`() throws {
        let notes: [String?] = try library.queue.read { db in
            try Event.order(by: \.id).select(\.kind.note).fetchAll(db)
        }
        #expect(notes == ["a", nil, nil, nil])
        let places: [Place?] = try library.queue.read { db in
            try Event.order(by: \.id).select { $0.kind.place }.fetchAll(db)
        }
        #expect(places == [nil, nil, Place(shelf: "B", box: 2), nil])
        let boxes: [Int?] = try library.queue.read { db in
            try Event.where { $0.kind.place.shelf.is("B") }.select { $0.kind.place.box }
                .fetchAll(db)
        }
        #expect(boxes == [2])
        #expect(
            Event.group(by: \.kind.note).select { ($0.kind.note, $0.id.count()) }.debugSQL
                .hasSuffix(#"FROM "events" GROUP BY "events"."note""#))
        #expect(
            Event.insert {
                $0.kind.note
            } values: {
                "n"
            }.debugSQL
                == #"INSERT INTO "events" ("note") VALUES ('n')"#)
    }

    @Test(.proves("ENM-007", "ENM-008"))
    func `a row tells which case it holds`() throws {
        #expect(sql { $0.kind.is(\.note) } == #""events"."note" IS NOT NULL"#)
        #expect(sql { $0.kind.isNot(\.note) } == #""events"."note" IS NULL"#)
        let place = #"("events"."shelf", "events"."box")"#
        #expect(sql { $0.kind.is(\.place) } == "\(place) IS NOT (NULL, NULL)")
        #expect(sql { $0.kind.isNot(\.place) } == "\(place) IS (NULL, NULL)")
        let row = "(\(Self.columns))"
        let value = "('a', NULL, NULL, NULL, NULL)"
        #expect(sql { $0.kind.is(.note("a")) } == "\(row) IS \(value)")
        #expect(sql { $0.kind.eq(.note("a")) } == "\(row) IS \(value)")
        #expect(sql { $0.kind.isNot(.note("a")) } == "\(row) IS NOT \(value)")
        #expect(sql { $0.kind.neq(.note("a")) } == "\(row) IS NOT \(value)")
        #expect(
            sql { $0.kind.in([.note("a"), .lost]) }
                == "\(row) IS \(value) OR \(row) IS (NULL, NULL, NULL, NULL, 1)")
        let ids = try library.queue.read { db in
            try Event.where { $0.kind.in([.note("a"), .lost]) }.select(\.id).fetchAll(db)
        }
        #expect(ids == [1, 4])
        #expect(
            try library.queue.read { try Event.where { $0.kind.is(\.place) }.fetchCount($0) } == 1)
    }

    @Test(.proves("ENM-010"))
    func `a case of expressions is assigned`() throws {
        let rows = try library.run(
            Event.find(3).update {
                $0.kind = Kind.Columns.place(
                    Place.Columns(shelf: #sql("upper('c')"), box: $0.id + 1))
            },
            """
            UPDATE "events" SET "note" = NULL, "copies" = NULL, "shelf" = upper('c'), \
            "box" = "events"."id" + 1, "isLost" = NULL WHERE "events"."id" = 3
            """, then: "SELECT shelf, box FROM events WHERE id = 3")
        #expect(rows == [["C", "4"]])
    }

    @Test
    func `the columns of one case are assigned, and clear those of the others`() throws {
        let rows = try library.run(
            Event.find(3).update { $0.kind.note = "x" },
            """
            UPDATE "events" SET "note" = 'x', "copies" = NULL, "shelf" = NULL, "box" = NULL, \
            "isLost" = NULL WHERE "events"."id" = 3
            """, then: "SELECT note, shelf FROM events WHERE id = 3")
        #expect(rows == [["x", "NULL"]])
    }

    @Test(.proves("ENM-016"))
    func `a case has the default of its value`() {
        #expect(Kind.note() == .note(""))
        let columns = Kind.Columns.note()
        #expect(columns.queryFragment.description == "'', NULL, NULL, NULL, NULL")
        #expect(Event.Draft(kind: .note()).kind == .note(""))
    }
}
