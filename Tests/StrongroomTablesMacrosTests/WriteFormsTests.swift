import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, Trial.TableColumns,
    Member.TableColumns, Parcel.TableColumns, TraitView.TableColumns
)

/// A table with a column of each form.
@Table struct Parcel: Equatable {
    let id: Int
    var count = 0
    var weight = 1.0
    var extra: Int?
    var isSent = false
    var title = ""
    @Column("sent_on") var sentOn: Date?
    var rank: Rank = .genus
    var lastRank: Rank?
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
    @Column(as: [Int].JSONBRepresentation.self) var sizes: [Int] = []
    @Column(as: Date.UnixTimeRepresentation.self) var at = Date(timeIntervalSince1970: 0)
    var token: UUID?
    var data: [UInt8] = []
    @Column(generated: .stored) let double: Int?
}

@Table("traitViews", .view) struct TraitView: Equatable {
    @Column(primaryKey: true) let code: String
    var label = ""
}

@Selection struct NewTrait { let code: String; let label: String }

enum T: AliasName {}

@Suite struct WriteFormsTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE parcels (id INTEGER PRIMARY KEY, count INTEGER NOT NULL,
                        weight REAL NOT NULL, extra INTEGER, isSent INTEGER NOT NULL,
                        title TEXT NOT NULL, sent_on TEXT, rank TEXT NOT NULL, lastRank TEXT,
                        tags TEXT NOT NULL, sizes BLOB NOT NULL, at INTEGER NOT NULL, token TEXT,
                        data BLOB NOT NULL,
                        double INTEGER GENERATED ALWAYS AS (count * 2) STORED);
                    INSERT INTO parcels (id, count, weight, extra, isSent, title, rank, tags,
                        sizes, at, data)
                    VALUES (1, 12, 1.5, 6, 0, 'a', 'genus', '[]', jsonb('[]'), 0, x'');
                    """)
        }
    }

    func parcel() throws -> Parcel {
        try #require(try library.queue.read { try Parcel.find(1).fetchOne($0) })
    }

    func set(_ change: (inout Updates<Parcel.TableColumns>) -> Void) -> String {
        let sql = Parcel.update(change).debugSQL
        return String(sql.dropFirst(#"UPDATE "parcels" SET "#.count))
            .replacing(#""parcels"."#, with: "")
    }

    @Test(.proves("TUP-002"))
    func `a column takes values, expressions, subqueries and operations`() throws {
        #expect(set { $0.count = 3 } == #""count" = 3"#)
        #expect(set { $0.count = $0.title.length() } == #""count" = length("title")"#)
        #expect(
            set { $0.extra = Taxon.select { $0.id.max() } }
                == #""extra" = (SELECT max("taxons"."id") FROM "taxons")"#)
        #expect(set { $0.extra = nil } == #""extra" = NULL"#)
        #expect(
            set {
                $0.count += 1
                $0.weight *= 2
            } == #""count" = "count" + 1, "weight" = "weight" * 2.0"#)
        #expect(
            set {
                $0.count -= 1
                $0.weight /= 2
            } == #""count" = "count" - 1, "weight" = "weight" / 2.0"#)
        #expect(set { $0.count /= $0.id } == #""count" = "count" / "id""#)
        #expect(set { $0.count %= 5 } == #""count" = "count" % 5"#)
        #expect(set { $0.count &= 5 } == #""count" = "count" & 5"#)
        #expect(set { $0.count |= 5 } == #""count" = "count" | 5"#)
        #expect(set { $0.count <<= 2 } == #""count" = "count" << 2"#)
        #expect(set { $0.count >>= 2 } == #""count" = "count" >> 2"#)
        #expect(set { $0.isSent.toggle() } == #""isSent" = NOT "isSent""#)
        #expect(set { $0.count.negate() } == #""count" = -"count""#)
        #expect(set { $0.extra += 2 } == #""extra" = "extra" + 2"#)
        #expect(set { $0.title += "b" } == #""title" = "title" || 'b'"#)
        #expect(set { $0.title.append("b") } == #""title" = "title" || 'b'"#)
        #expect(
            set { $0.title.append(contentsOf: $0.title) } == #""title" = "title" || "title""#)
        let change = Parcel.find(1).update {
            $0.count %= 5
            $0.count <<= 3
            $0.weight /= 2
            $0.extra &= 3
            $0.isSent.toggle()
            $0.title.append(contentsOf: "bc")
        }
        try library.queue.write { try change.execute($0) }
        let parcel = try parcel()
        #expect(parcel.count == 16 && parcel.weight == 0.75 && parcel.extra == 2)
        #expect(parcel.isSent && parcel.title == "abc" && parcel.double == 32)
    }

    @Test(.proves("TUP-003"))
    func `plain values are assigned as they are`() throws {
        let number = 7
        let optional: Int? = 8
        let text = "x"
        let date = Date(timeIntervalSince1970: 60)
        let other: Date? = nil
        let token = UUID()
        let tags = ["a"]
        let rank: Rank? = .family
        let bytes: [UInt8] = [1, 2]
        let update = Parcel.find(1).update {
            $0.count = number
            $0.extra = optional
            $0.title = text
            $0.isSent = true
            $0.sentOn = date
            $0.rank = .species
            $0.lastRank = rank
            $0.tags = tags
            $0.sizes = [3, 4]
            $0.at = date
            $0.token = token
            $0.data = bytes
            $0.weight = 2.5
        }
        try library.queue.write { try update.execute($0) }
        var expected = Parcel(
            id: 1, count: 7, weight: 2.5, extra: 8, isSent: true, title: "x", sentOn: date,
            rank: .species, lastRank: .family, tags: ["a"], sizes: [3, 4], at: date, token: token,
            data: [1, 2], double: 14)
        #expect(try parcel() == expected)
        try library.queue.write { db in
            try Parcel.update {
                $0.sentOn = other
                $0.lastRank = nil
                $0.extra = nil
                $0.token = nil
                $0.at = Date(timeIntervalSince1970: 90)
                $0.lastRank = .high
                $0.tags = []
            }.execute(db)
        }
        (expected.sentOn, expected.lastRank, expected.extra, expected.token) = (
            nil, .high, nil, nil
        )
        (expected.at, expected.tags) = (Date(timeIntervalSince1970: 90), [])
        #expect(try parcel() == expected)
    }

    @Test(.proves("TUP-011"))
    func `groups and cases are assigned as wholes and by their members`() throws {
        #expect(
            Packet.update {
                $0.place = Place(shelf: "Z", box: 2)
                $0.test.sprouted = 1
            }.debugSQL == #"UPDATE "packets" SET "shelf" = 'Z', "box" = 2, "sprouted" = 1"#)
        let cleared = #""copies" = NULL, "shelf" = NULL, "box" = NULL, "isLost" = NULL"#
        #expect(
            Event.update { $0.kind = .note("a") }.debugSQL
                == #"UPDATE "events" SET "note" = 'a', \#(cleared)"#)
        #expect(
            Event.update { $0.kind.note = "a" }.debugSQL
                == #"UPDATE "events" SET "note" = 'a', \#(cleared)"#)
    }
}
