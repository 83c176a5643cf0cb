import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table private struct Dive: Equatable {
    let id: Int
    var site = ""
    var began: Date?
    var depth: Double?
    @Column(as: [String]?.JSONRepresentation.self) var tags: [String]?
}

/// Rows that are written together hold what rows do that are written one by one.
@Suite struct InsertedRowsTests {
    private static let stored = """
        SELECT id, site, began, typeof(began), depth, tags FROM dives ORDER BY id
        """

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE dives (id INTEGER PRIMARY KEY, site TEXT NOT NULL, began TEXT,
                        depth REAL, tags TEXT)
                    """)
        }
    }

    @Test(.proves("TIN-001"), .proves("TIN-018"), arguments: 0..<40)
    func `rows on lines, in loops and arrays are those that are inserted alone`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let drafts = (0..<6).map { _ in Self.dive(&random) }
        try queue.write { (db) throws in
            for draft in drafts { try Dive.insert { draft }.execute(db) }
            let alone = try Row.fetchAll(db, sql: Self.stored)
            #expect(alone.count == 6)
            func expectSame(_ insert: Insert<Dive>) throws {
                try Dive.delete().execute(db)
                try insert.execute(db)
                let together = try Row.fetchAll(db, sql: Self.stored)
                #expect(together == alone)
            }
            try expectSame(
                Dive.insert {
                    drafts[0]
                    drafts[1]
                    drafts[2]
                    drafts[3]
                    drafts[4]
                    drafts[5]
                })
            try expectSame(Dive.insert { drafts })
            try expectSame(Dive.insert { for draft in drafts { draft } })
            try expectSame(
                Dive.insert {
                    Array(drafts[..<2])
                    drafts[2]
                    if drafts.count > 3 { Array(drafts[3...]) }
                })
        }
    }

    /// A key that is nil takes the next number, as it does alone.
    private static func dive(_ random: inout SeededGenerator) -> Dive.Draft {
        let began = Date(
            timeIntervalSince1970: Double(Int.random(in: 0..<9_999_999, using: &random)))
        return Dive.Draft(
            id: nil, site: Bool.random(using: &random) ? "reef" : "it's",
            began: Bool.random(using: &random) ? began : nil,
            depth: Bool.random(using: &random) ? 2.5 : nil,
            tags: Bool.random(using: &random) ? ["a", "b"] : nil)
    }

    @Test(.proves("TIN-001"))
    func `a function of rows names their table`() throws {
        @InsertBuilder<Dive> func pair() -> InsertedRows<Dive> {
            Dive(id: 1, site: "reef")
            Dive(id: 2, site: "wreck")
        }
        try queue.write { (db) throws in
            try Dive.insert(pair).execute(db)
            #expect(try Dive.select(\.site).order(by: \.site).fetchAll(db) == ["reef", "wreck"])
        }
    }
}
