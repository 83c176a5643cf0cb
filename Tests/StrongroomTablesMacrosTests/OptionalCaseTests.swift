import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table("events") struct LooseEvent: Equatable {
    let id: Int
    var packetID: Int?
    var kind: Kind?
}

@Suite struct OptionalCaseTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db in
            try LooseEvent.insert {
                LooseEvent(id: 1, packetID: 1, kind: .note("a"))
                LooseEvent(id: 2)
                LooseEvent(id: 3, packetID: 3, kind: .place(Place(shelf: "B", box: 2)))
            }.execute(db)
        }
    }

    @Test(.proves("ENM-011"))
    func `an optional enum is nil when all its columns are NULL`() throws {
        let events = try library.queue.read { try LooseEvent.order(by: \.id).fetchAll($0) }
        #expect(events.map(\.kind) == [.note("a"), nil, .place(Place(shelf: "B", box: 2))])
        let columns =
            #"("events"."note", "events"."copies", "events"."shelf", "events"."box", "events"."isLost")"#
        let missing = try library.fetch(
            LooseEvent.where { $0.kind.is(nil) }.select(\.id),
            #"SELECT "events"."id" FROM "events" WHERE \#(columns) IS (NULL, NULL, NULL, NULL, NULL)"#
        )
        #expect(missing == [2])
        let rows = try library.run(
            LooseEvent.find(3).update { $0.kind = nil },
            """
            UPDATE "events" SET "note" = NULL, "copies" = NULL, "shelf" = NULL, "box" = NULL, \
            "isLost" = NULL WHERE "events"."id" = 3
            """, then: "SELECT shelf, box FROM events WHERE id = 3")
        #expect(rows == [["NULL", "NULL"]])
        let set = try library.run(
            LooseEvent.find(2).update { $0.kind = .loan(copies: 4) },
            """
            UPDATE "events" SET "note" = NULL, "copies" = 4, "shelf" = NULL, "box" = NULL, \
            "isLost" = NULL WHERE "events"."id" = 2
            """, then: "SELECT copies FROM events WHERE id = 2")
        #expect(set == [["4"]])
        #expect(
            try library.queue.read { try LooseEvent.where { $0.kind.is(\.loan) }.fetchCount($0) }
                == 1)
    }

    @Test(.proves("ENM-018"))
    func `on the outer side of a join a case is optional once`() throws {
        let notes: [String?] = try library.queue.read { db in
            try Packet.order(by: \.id).leftJoin(Event.all) { $0.id.eq($1.packetID) }
                .select { $1.kind.note }.fetchAll(db)
        }
        #expect(notes == ["a", nil, nil])
        let places: [Place?] = try library.queue.read { db in
            try Packet.order(by: \.id).leftJoin(Event.all) { $0.id.eq($1.packetID) }
                .select { $1.kind.place }.fetchAll(db)
        }
        #expect(places == [nil, nil, Place(shelf: "B", box: 2)])
        let ids = try library.queue.read { db in
            try Packet.order(by: \.id).leftJoin(Event.all) { $0.id.eq($1.packetID) }
                .where { $1.kind.is(\.note) || $1.kind.place.box.eq(2) }
                .select { $0.0.id }.fetchAll(db)
        }
        #expect(ids == [1, 3])
    }

    @Test(.proves("ENM-009"))
    func `the columns of one case are assigned together, and clear those of the others`() throws {
        let others = #""shelf" = NULL, "box" = NULL, "isLost" = NULL"#
        let rows = try library.run(
            Event.find(3).update { $0.kind.note = "x" },
            """
            UPDATE "events" SET "note" = 'x', "copies" = NULL, \(others) WHERE "events"."id" = 3
            """, then: "SELECT note, shelf FROM events WHERE id = 3")
        #expect(rows == [["x", "NULL"]])
        let place = try library.run(
            Event.find(3).update { $0.kind.place = Place(shelf: "Q", box: 7) },
            """
            UPDATE "events" SET "shelf" = 'Q', "box" = 7, "note" = NULL, "copies" = NULL, \
            "isLost" = NULL WHERE "events"."id" = 3
            """, then: "SELECT note, shelf, box FROM events WHERE id = 3")
        #expect(place == [["NULL", "Q", "7"]])
        try MacroClient(
            """
            @Selection struct Image { var caption = ""; var size = 1 }
            @Selection enum Kind { case note(String), image(Image) }
            @Table struct Post { let id: Int; var kind: Kind; var cover: Image }
            func updates() {
                _ = Post.update { $0.cover.caption = "x" }
                _ = Post.update { $0.kind.image = Image() }
                _ = Post.update { $0.cover.caption = $0.kind.image.caption ?? "" }
                _ = Post.update { $0.kind.image.caption = "x" } // error: setter for 'subscript(dynamicMember:)' is unavailable: assign the whole case
                _ = Post.update { $0.kind.image.size += 1 } // error: setter for 'subscript(dynamicMember:)' is unavailable: assign the whole case
            }
            """
        ).expectDiagnostics()
    }
}
