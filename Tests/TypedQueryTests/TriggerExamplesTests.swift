import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Loan.TableColumns, Packet.TableColumns, Event.TableColumns, Member.TableColumns,
    Variety.TableColumns, Trait.TableColumns, StockView.TableColumns
)

/// What the library can lend, in a view.
@Table("stockViews", .view) struct StockView: Identifiable {
    let id: Variety.ID
    var name = ""
    var seeds = 0
}

@Suite struct TriggerExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private let take = Loan.createTemporaryTrigger(
        "take",
        after: .insert { new in Packet.find(new.packetID).update { $0.seeds -= new.seeds } })

    @Test(.proves("TRG-001", "TRG-005"))
    func `a temporary trigger changes another table by the new row`() throws {
        try library.check(
            take,
            """
            CREATE TEMPORARY TRIGGER `take` AFTER INSERT ON `loans` FOR EACH ROW BEGIN UPDATE \
            `packets` SET `seeds` = `packets`.`seeds` - `new`.`seeds` WHERE `packets`.`id` = \
            `new`.`packetID`; END
            """,
            then: [
                """
                INSERT INTO `loans` (`packetID`, `memberID`, `ticket`, `seeds`, `takenAt`) VALUES \
                (1, 1, X'ff', 7, '2026-03-01 00:00:00.000')
                """
            ],
            after: "SELECT `seeds` FROM `packets` WHERE `id` = 1", [[113]])
    }

    @Test(.proves("TRG-002", "TRG-003", "TRG-004"))
    func `a trigger of some columns has a condition and several statements`() throws {
        try library.check(
            Loan.createTemporaryTrigger(
                "back",
                after: .update(of: { ($0.returned, $0.dueAt) }) { old, new in
                    Packet.find(new.packetID).update { $0.seeds += new.returned ?? 0 }
                    Event.insert {
                        ($0.packetID, $0.at, $0.kind.remark)
                    } select: {
                        Values(
                            new.packetID,
                            #bind(
                                day("2026-03-01"),
                                as: Date.UnixTimeRepresentation.Subsecond.self),
                            "back: " + new.returned.cast(as: String.self))
                    }
                } when: { old, new in
                    old.returned.is(nil) && new.returned.isNot(nil)
                }),
            """
            CREATE TEMPORARY TRIGGER `back` AFTER UPDATE OF `returned`, `dueAt` ON `loans` FOR EACH \
            ROW WHEN `old`.`returned` IS NULL AND `new`.`returned` IS NOT NULL BEGIN UPDATE \
            `packets` SET `seeds` = `packets`.`seeds` + coalesce(`new`.`returned`, 0) WHERE \
            `packets`.`id` = `new`.`packetID`; INSERT INTO `events` (`packetID`, `at`, `remark`) \
            SELECT `new`.`packetID`, 1772323200.0, 'back: ' || CAST(`new`.`returned` AS TEXT); END
            """,
            then: [
                "UPDATE `loans` SET `returned` = 11 WHERE `id` = 2",
                "UPDATE `loans` SET `returned` = 99 WHERE `id` = 1",
            ],
            after: """
                SELECT (SELECT `seeds` FROM `packets` WHERE `id` = 1), (SELECT max(`remark`) FROM \
                `events` WHERE `remark` LIKE 'back%')
                """,
            [[131, "back: 11"]])
    }

    @Test(.proves("TRG-006"))
    func `touch sets a date of a group by its representation`() throws {
        try library.check(
            Packet.createTemporaryTrigger(
                "stamp", after: .update(of: { $0.seeds }, touch: \.germination.testedAt)),
            """
            CREATE TEMPORARY TRIGGER `stamp` AFTER UPDATE OF `seeds` ON `packets` FOR EACH ROW BEGIN \
            UPDATE `packets` SET `testedAt` = unixepoch('now') WHERE `packets`.`rowid` = \
            `new`.`rowid`; END
            """,
            then: ["UPDATE `packets` SET `seeds` = 1 WHERE `id` = 3"],
            after: "SELECT `testedAt` > 1772000000 FROM `packets` WHERE `id` = 3", [[1]])
    }

    @Test(.proves("TRG-007"))
    func `touch takes any assignments`() throws {
        try library.check(
            Member.createTemporaryTrigger(
                "score", after: .update(of: { $0.role }, touch: { $0.points += 100 })),
            """
            CREATE TEMPORARY TRIGGER `score` AFTER UPDATE OF `role` ON `members` FOR EACH ROW BEGIN \
            UPDATE `members` SET `points` = `members`.`points` + 100 WHERE `members`.`rowid` = \
            `new`.`rowid`; END
            """,
            then: ["UPDATE `members` SET `role` = 'guest' WHERE `id` < 3"],
            after: "SELECT `id`, `points` FROM `members` WHERE `points` > 50 ORDER BY `id`",
            [[1, 140], [2, 115]])
    }

    @Test(.proves("TRG-002", "TRG-019"))
    func `text in a trigger is a literal`() throws {
        try library.check(
            Variety.createTemporaryTrigger(
                "keep",
                before: .delete { old in
                    Trait.insert {
                        Trait.Columns(
                            code: old.id.cast(as: String.self), label: "was '" + old.name + "'")
                    }
                }),
            """
            CREATE TEMPORARY TRIGGER `keep` BEFORE DELETE ON `varieties` FOR EACH ROW BEGIN INSERT \
            INTO `traits` (`code`, `label`) VALUES (CAST(`old`.`id` AS TEXT), 'was ''' || \
            `old`.`name` || ''''); END
            """,
            setup: ["DELETE FROM `packets` WHERE `id` = 12"],
            then: ["DELETE FROM `varieties` WHERE `name` = 'rosa bianca'"],
            after: "SELECT `label` FROM `traits` WHERE `label` LIKE 'was%'",
            [["was 'rosa bianca'"]])
    }

    @Test(.proves("TRG-008"))
    func `a trigger is dropped by its value`() throws {
        try library.check(take.drop(ifExists: true), "DROP TRIGGER IF EXISTS `take`", [])
        try library.check(take.drop(), "DROP TRIGGER `take`", [], setup: [take.debugSQL])
    }

    @Test(.proves("TRG-012"))
    func `a permanent trigger refuses a row`() throws {
        try library.check(
            Loan.createTrigger(
                "limit", ifNotExists: true,
                before: .insert { new in
                    Values(#sql("RAISE(ABORT, 'too many')", as: Int.self))
                } when: { new in
                    Loan.where { $0.memberID.eq(new.memberID) && $0.returned.is(nil) }.count() >= 2
                }),
            """
            CREATE TRIGGER IF NOT EXISTS `limit` BEFORE INSERT ON `loans` FOR EACH ROW WHEN (SELECT \
            count(*) FROM `loans` WHERE `loans`.`memberID` = `new`.`memberID` AND \
            `loans`.`returned` IS NULL) >= 2 BEGIN SELECT RAISE(ABORT, 'too many'); END
            """,
            then: [
                """
                INSERT INTO `loans` (`packetID`, `memberID`, `ticket`, `seeds`, `takenAt`) VALUES \
                (1, 1, X'fe', 1, '2026-03-01 00:00:00.000')
                """
            ],
            after: "SELECT count(*) FROM `loans` WHERE `memberID` = 1", [[2]])
    }

    @Test(.proves("TRG-014"))
    func `a temporary view has the rows of a join`() throws {
        try library.check(
            StockView.createTemporaryView(
                as: Variety.leftJoin(Packet.all) { $0.id.eq($1.varietyID) }
                    .group { v, _ in v.id }
                    .select {
                        StockView.Columns(id: $0.id, name: $0.name, seeds: $1.seeds.sum() ?? 0)
                    }),
            """
            CREATE TEMPORARY VIEW `stockViews` (`id`, `name`, `seeds`) AS SELECT `varieties`.`id` AS \
            `id`, `varieties`.`name` AS `name`, coalesce(sum(`packets`.`seeds`), 0) AS `seeds` FROM \
            `varieties` LEFT JOIN `packets` ON `varieties`.`id` = `packets`.`varietyID` GROUP BY \
            `varieties`.`id`
            """,
            after: "SELECT `name`, `seeds` FROM `stockViews` ORDER BY `seeds` DESC LIMIT 3",
            [
                ["Poppy 🌺 Mix", 1000], ["Merveille des Quatre Saisons", 500],
                ["Hutterite Soup", 200],
            ])
    }

    @Test(.proves("TRG-016"))
    func `a view is joined like a table`() throws {
        try library.check(
            StockView.where { $0.seeds >= 100 }
                .join(Variety.all) { $0.id.eq($1.id) }
                .order { s, _ in s.seeds.desc() }
                .select { ($0.name, $0.seeds, $1.habit) },
            """
            SELECT `stockViews`.`name`, `stockViews`.`seeds`, `varieties`.`habit` FROM `stockViews` \
            JOIN `varieties` ON `stockViews`.`id` = `varieties`.`id` WHERE `stockViews`.`seeds` >= \
            100 ORDER BY `stockViews`.`seeds` DESC
            """,
            [
                ["Poppy 🌺 Mix", 1000, nil], ["Merveille des Quatre Saisons", 500, 1],
                ["Hutterite Soup", 200, 1], ["Black Krim", 120, 1],
            ],
            setup: [
                """
                CREATE VIEW `stockViews` (`id`, `name`, `seeds`) AS SELECT `varieties`.`id`, \
                `varieties`.`name`, coalesce(sum(`packets`.`seeds`), 0) FROM `varieties` LEFT JOIN \
                `packets` ON `varieties`.`id` = `packets`.`varietyID` GROUP BY `varieties`.`id`
                """
            ])
    }

    @Test(.proves("TRG-016"))
    func `a trigger makes a view writable`() throws {
        try library.check(
            StockView.createTemporaryTrigger(
                "rename",
                insteadOf: .update { old, new in
                    Variety.find(old.id).update { $0.name = new.name }
                }),
            """
            CREATE TEMPORARY TRIGGER `rename` INSTEAD OF UPDATE ON `stockViews` FOR EACH ROW BEGIN \
            UPDATE `varieties` SET `name` = `new`.`name` WHERE `varieties`.`id` = `old`.`id`; END
            """,
            setup: [
                """
                CREATE VIEW `stockViews` (`id`, `name`, `seeds`) AS SELECT `varieties`.`id`, \
                `varieties`.`name`, 0 FROM `varieties`
                """
            ],
            then: ["UPDATE `stockViews` SET `name` = 'Fisch' WHERE `stockViews`.`name` = 'Fish'"],
            after: "SELECT `name` FROM `varieties` WHERE `id` LIKE '%05'", [["Fisch"]])
    }

    @Test(.proves("TRG-004"))
    func `a trigger inserts what a query gives`() throws {
        try library.check(
            Loan.createTemporaryTrigger(
                "reward",
                after: .update(of: { $0.returned }) { old, new in
                    Member.find(new.memberID).update {
                        $0.points += Case().when(new.returned > new.seeds, then: 5).else(1)
                    }
                    Event.insert {
                        ($0.packetID, $0.at, $0.kind.donated)
                    } select: {
                        Member.where { $0.id.eq(new.memberID) && new.returned > new.seeds }.select {
                            (
                                new.packetID,
                                #bind(
                                    day("2026-03-01"),
                                    as: Date.UnixTimeRepresentation.Subsecond.self), $0.name
                            )
                        }
                    }
                } when: { old, new in
                    old.returned.is(nil) && new.returned > 0
                }),
            """
            CREATE TEMPORARY TRIGGER `reward` AFTER UPDATE OF `returned` ON `loans` FOR EACH ROW \
            WHEN `old`.`returned` IS NULL AND `new`.`returned` > 0 BEGIN UPDATE `members` SET \
            `points` = `members`.`points` + CASE WHEN `new`.`returned` > `new`.`seeds` THEN 5 ELSE \
            1 END WHERE `members`.`id` = `new`.`memberID`; INSERT INTO `events` (`packetID`, `at`, \
            `by`) SELECT `new`.`packetID`, 1772323200.0, `members`.`name` FROM `members` WHERE \
            `members`.`id` = `new`.`memberID` AND `new`.`returned` > `new`.`seeds`; END
            """,
            then: [
                "UPDATE `loans` SET `returned` = 120 WHERE `id` = 6",
                "UPDATE `loans` SET `returned` = 2 WHERE `id` = 2",
            ],
            after: """
                SELECT (SELECT `points` FROM `members` WHERE `id` = 3), (SELECT count(*) FROM \
                `events` WHERE `by` = 'Chidi')
                """,
            [[21, 1]])
    }
}
