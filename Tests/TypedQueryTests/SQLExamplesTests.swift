import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns
)

@Suite struct SQLExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `SQL has a type`() throws {
        try library.check(
            Variety.order(by: \.id).limit(3).select {
                ($0.name, #sql("instr(\($0.name), ' ')", as: Int.self))
            },
            """
            SELECT `varieties`.`name`, instr(`varieties`.`name`, ' ') FROM `varieties` ORDER BY \
            `varieties`.`id` LIMIT 3
            """,
            [["Black Krim", 6], ["Sungold", 0], ["Hutterite Soup", 10]])
    }

    @Test
    func `SQL is a condition`() throws {
        try library.check(
            Loan.where { #sql("\($0.dueAt) < date('2026-01-01')") }.select(\.id),
            "SELECT `loans`.`id` FROM `loans` WHERE `loans`.`dueAt` < date('2026-01-01')",
            [[1], [2], [3], [5]])
        try library.check(
            Loan.where {
                #sql("\($0.dueAt) < date('2026-01-01')"); $0.returned.is(nil)
            }.select(\.id),
            """
            SELECT `loans`.`id` FROM `loans` WHERE (`loans`.`dueAt` < date('2026-01-01')) AND \
            `loans`.`returned` IS NULL
            """,
            [[2]])
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, v in
                #sql("\(p.harvestYear) % 2 = \(1)"); v.habit.isNot(nil)
            }.group { _, v in v.habit }.order { p, _ in #sql("sum(\(p.seeds)) DESC") }.limit(2)
                .select { p, v in (v.habit, #sql("total(\(p.grams))", as: Double.self), p.count())
                },
            """
            SELECT `varieties`.`habit`, total(`packets`.`grams`), count(`packets`.`id`) FROM \
            `packets` JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id` WHERE \
            (`packets`.`harvestYear` % 2 = 1) AND `varieties`.`habit` IS NOT NULL GROUP BY \
            `varieties`.`habit` ORDER BY sum(`packets`.`seeds`) DESC LIMIT 2
            """,
            [[1, 90.5, 3], [3, 0.25, 2]])
    }

    @Test
    func `SQL is a statement`() throws {
        try library.check(
            #sql(
                """
                SELECT \(Trait.columns) FROM \(Trait.self) ORDER BY \(Trait.code)
                """, as: Trait.self),
            "SELECT `traits`.`code`, `traits`.`label` FROM `traits` ORDER BY `traits`.`code`",
            [
                ["compact", "Compact"], ["drought", "Drought tolerant"], ["early", "Early"],
                ["heirloom", "Heirloom"], ["hot", "Hot 🌶"], ["odd", "50% off_type"],
                ["off", "500 offxtype"],
            ])
    }

    @Test
    func `SQL is a statement, continued`() throws {
        try library.check(
            #sql(
                """
                SELECT \(Loan.columns), \(Member.columns) FROM \(Loan.self) JOIN \(Member.self) \
                ON \(Loan.memberID) = \(Member.id) WHERE \(Loan.id) = \(4)
                """, as: (Loan, Member).self),
            """
            SELECT `loans`.`id`, `loans`.`packetID`, `loans`.`memberID`, `loans`.`ticket`, \
            `loans`.`seeds`, `loans`.`takenAt`, `loans`.`dueAt`, `loans`.`returned`, \
            `members`.`id`, `members`.`name`, `members`.`email`, `members`.`sponsorID`, \
            `members`.`role`, `members`.`joined`, `members`.`leftOn`, json(`members`.`address`) \
            AS `address`, `members`.`points` FROM `loans` JOIN `members` ON `loans`.`memberID` = \
            `members`.`id` WHERE `loans`.`id` = 4
            """,
            [
                [
                    4, 4, 6, .hex("00000000000040008000000000000004"), 25,
                    "2025-04-11 16:45:00.000", nil, nil, 6, "Farid", "FARID@SEEDS.EXAMPLE", 3,
                    "grower", 2460100.5, nil, "{\"city\":\"Lund\",\"lines\":[\"Stora torg 4\"]}",
                    22,
                ]
            ])
    }

    @Test(.proves("LIT-004"))
    func `several statements run in order`() throws {
        try library.check(
            #sql(
                """
                CREATE TABLE bins (id INTEGER PRIMARY KEY, code TEXT); INSERT INTO bins (code) \
                VALUES ('a'), ('b')
                """),
            """
            CREATE TABLE bins (id INTEGER PRIMARY KEY, code TEXT); INSERT INTO bins (code) \
            VALUES ('a'), ('b')
            """,
            [],
            after: "SELECT `code` FROM `bins` ORDER BY `id`",
            [["a"], ["b"]])
        var migrator = DatabaseMigrator()
        migrator.registerMigration("bins") { db in
            try #sql("CREATE TABLE bins (id INTEGER PRIMARY KEY, code TEXT)").execute(db)
        }
        try migrator.migrate(library.queue)
        #expect(try library.queue.read { try $0.tableExists("bins") })
    }

    @Test(.proves("LIT-007"))
    func `names and values stand in SQL`() throws {
        do {
            let label = "It's -- hot?"
            try library.check(
                #sql(
                    """
                    UPDATE \(Trait.self) SET \(name: Trait.label) = \(bind: label) WHERE \
                    \(Trait.code) = \(bind: "hot")
                    """),
                "UPDATE `traits` SET `label` = 'It''s -- hot?' WHERE `traits`.`code` = 'hot'",
                [],
                after: "SELECT `label` FROM `traits` WHERE `code` = 'hot'",
                [["It's -- hot?"]])
        }
    }

    @Test
    func `queries stand in SQL`() throws {
        try library.check(
            #sql(
                """
                SELECT (\(Packet.count())) - (\(Packet.where { $0.seeds.eq(0) }.count()))
                """, as: Int.self),
            """
            SELECT (SELECT count(*) FROM `packets`) - (SELECT count(*) FROM `packets` WHERE \
            `packets`.`seeds` = 0)
            """,
            [[11]])
    }

    @Test(.proves("LIT-009"))
    func `values are bound in SQL`() throws {
        try library.check(
            #sql(
                """
                SELECT \(42), \(Habit.perennial), \(Optional<Int>.none), \(day("2026-03-01")), \
                \(day("2026-03-01"), as: Date.UnixTimeRepresentation.self)
                """, as: (Int, Habit, Int?, Date, Int).self),
            "SELECT 42, 3, NULL, '2026-03-01 00:00:00.000', 1772323200",
            [[42, 3, nil, "2026-03-01 00:00:00.000", 1772323200]])
        let bound = #sql("SELECT \(42)", as: Int.self).query.prepare { "?\($0)" }
        #expect(bound.sql == "SELECT ?1" && bound.bindings == [.int(42)])
    }

    @Test(.proves("LIT-011"))
    func `text is pasted and quoted in SQL`() throws {
        try library.check(
            #sql(
                """
                SELECT \(raw: "1 + 1"), \(quote: "a", delimiter: .text), \(quote: "label") FROM \
                \(quote: "traits") WHERE code = 'odd'
                """, as: (Int, String, String).self),
            "SELECT 1 + 1, 'a', `label` FROM `traits` WHERE code = 'odd'",
            [[2, "a", "50% off_type"]])

        try library.check(
            #sql("SELECT \(raw: 12), \(bind: "x")", as: (Int, String).self),
            "SELECT 12, 'x'",
            [[12, "x"]])
    }

    @Test(.proves("LIT-012"))
    func `sequences are lists in SQL`() throws {
        try library.check(
            #sql(
                """
                SELECT count(*) FROM packets WHERE id IN \(sequence: [1, 2, 99])
                """, as: Int.self),
            "SELECT count(*) FROM packets WHERE id IN (1, 2, 99)",
            [[2]])
        try library.check(
            #sql(
                """
                SELECT count(*) FROM packets WHERE id IN \(sequence: [Int]())
                """, as: Int.self),
            "SELECT count(*) FROM packets WHERE id IN (SELECT NULL WHERE 0)",
            [[0]])
        let bound = #sql("SELECT 1 IN \(sequence: [1, 2])", as: Int.self).query
        #expect(bound.prepare { _ in "?" }.sql == "SELECT 1 IN (?, ?)")
    }

    @Test
    func `values are bound by the type of the other side`() throws {
        try library.check(
            Variety.where { $0.aliases.eq(#bind([])) }.count(),
            "SELECT count(*) FROM `varieties` WHERE `varieties`.`aliases` = '[]'",
            [[5]])
    }
}
