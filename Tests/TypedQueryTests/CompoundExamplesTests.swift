import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns, Trial.TableColumns
)

@Suite struct CompoundExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `selects are united, intersected and subtracted`() throws {
        try library.check(
            Variety.select(\.name).union(Trait.select(\.label)).union(
                Taxon.where { $0.rank.eq(.family) }.select(\.name)),
            """
            SELECT `varieties`.`name` FROM `varieties` UNION SELECT `traits`.`label` FROM \
            `traits` UNION SELECT `taxons`.`name` FROM `taxons` WHERE `taxons`.`rank` = 'family'
            """,
            [
                ["50% off_type"], ["500 offxtype"], ["Aji \"Amarillo\""], ["Asteraceae"],
                ["Black Krim"], ["Compact"], ["Dragon's Tongue"], ["Drought tolerant"], ["Early"],
                ["Fabaceae"], ["Fish"], ["Heirloom"], ["Hot 🌶"], ["Hutterite Soup"],
                ["Merveille des Quatre Saisons"], ["Poppy 🌺 Mix"], ["Rosa Bianca"], ["Solanaceae"],
                ["Sungold"], ["rosa bianca"],
            ])
        try library.check(
            Packet.where { $0.seeds.eq(0) }.select(\.varietyID).union(
                all: true, Packet.where { $0.grams.is(nil) }.select(\.varietyID)),
            """
            SELECT `packets`.`varietyID` FROM `packets` WHERE `packets`.`seeds` = 0 UNION ALL \
            SELECT `packets`.`varietyID` FROM `packets` WHERE `packets`.`grams` IS NULL
            """,
            [
                ["00000000-0000-4000-8000-000000000001"], ["00000000-0000-4000-8000-000000000001"],
                ["00000000-0000-4000-8000-000000000006"],
            ])
    }

    @Test
    func `selects are united, intersected and subtracted, continued`() throws {
        try library.check(
            Variety.select(\.id).except(Trial.select(\.id.varietyID)).intersect(
                Packet.where { $0.seeds > 20 }.select(\.varietyID)),
            """
            SELECT `varieties`.`id` FROM `varieties` EXCEPT SELECT `trials`.`varietyID` FROM \
            `trials` INTERSECT SELECT `packets`.`varietyID` FROM `packets` WHERE \
            `packets`.`seeds` > 20
            """,
            [
                ["00000000-0000-4000-8000-000000000005"], ["00000000-0000-4000-8000-000000000008"],
                ["00000000-0000-4000-8000-000000000010"],
            ])
        try library.check(
            Variety.where { v in
                v.id.in(
                    Trial.select(\.id.varietyID).union(
                        Packet.where { $0.seeds > 400 }.select(\.varietyID)
                    ).except(VarietyTrait.where { $0.traitCode.eq("early") }.select(\.varietyID)))
                    && v.isOpenPollinated
            }.order { ($0.daysToHarvest.desc(nulls: .last), $0.name) }.limit(5).select {
                ($0.name, $0.daysToHarvest)
            },
            """
            SELECT `varieties`.`name`, `varieties`.`daysToHarvest` FROM `varieties` WHERE \
            `varieties`.`id` IN (SELECT `trials`.`varietyID` FROM `trials` UNION SELECT \
            `packets`.`varietyID` FROM `packets` WHERE `packets`.`seeds` > 400 EXCEPT SELECT \
            `varietiesTraits`.`varietyID` FROM `varietiesTraits` WHERE \
            `varietiesTraits`.`traitCode` = 'early') AND `varieties`.`isOpenPollinated` ORDER BY \
            `varieties`.`daysToHarvest` DESC NULLS LAST, `varieties`.`name` LIMIT 5
            """,
            [
                ["Hutterite Soup", 85], ["Rosa Bianca", 83], ["Black Krim", 80],
                ["Merveille des Quatre Saisons", 55], ["Poppy 🌺 Mix", nil],
            ])
    }

    @Test
    func `selects are united, intersected and subtracted, continued 2`() throws {
        try library.check(
            Variety.where { $0.name.contains("a") }.select { ("variety", $0.name) }.union(
                all: true, Trait.where { $0.label.contains("a") }.select { ("trait", $0.label) }
            ).union(
                all: true,
                Member.where { $0.name.contains("a") && $0.leftOn.is(nil) }.select {
                    ("member", $0.name)
                }
            ).order { ($0.1.collate(.nocase), $0.0) }.limit(6),
            """
            SELECT 'variety', `varieties`.`name` FROM `varieties` WHERE `varieties`.`name` LIKE \
            '%a%' ESCAPE '\\' UNION ALL SELECT 'trait', `traits`.`label` FROM `traits` WHERE \
            `traits`.`label` LIKE '%a%' ESCAPE '\\' UNION ALL SELECT 'member', `members`.`name` \
            FROM `members` WHERE `members`.`name` LIKE '%a%' ESCAPE '\\' AND `members`.`leftOn` \
            IS NULL ORDER BY 2 COLLATE `NOCASE`, 1 LIMIT 6
            """,
            [
                ["member", "Ada Lindqvist"], ["member", "ada lindqvist"],
                ["variety", "Aji \"Amarillo\""], ["variety", "Black Krim"],
                ["member", "Bo O'Hara"], ["trait", "Compact"],
            ], ordered: false)
    }

    @Test
    func `empty sides of compounds disappear`() throws {
        try library.check(
            Taxon.select(\.name).union(Taxon.none.select(\.name)).except(Taxon.none.select(\.name)),
            "SELECT `taxons`.`name` FROM `taxons`",
            [
                ["Solanaceae"], ["Solanum"], ["Solanum lycopersicum"], ["Fabaceae"], ["Phaseolus"],
                ["Phaseolus vulgaris"], ["Capsicum"], ["Capsicum annuum"], ["Asteraceae"],
                ["Lactuca sativa"], ["Papaver"], ["Solanum melongena"],
            ])
        try library.check(
            Taxon.select(\.name).intersect(Taxon.none.select(\.name)),
            "",
            [])
    }

    @Test(.proves("TQS-037"))
    func `a part with an order of its own is a subquery`() throws {
        try library.check(
            Packet.order { $0.seeds.desc() }.limit(1).select { ($0.id, $0.seeds) }.union(
                all: true,
                Packet.where { $0.seeds > 0 }.order(by: \.seeds).limit(1).select {
                    ($0.id, $0.seeds)
                }
            ).order { $0.1 },
            """
            SELECT * FROM (SELECT `packets`.`id`, `packets`.`seeds` FROM `packets` ORDER BY \
            `packets`.`seeds` DESC LIMIT 1) UNION ALL SELECT * FROM (SELECT `packets`.`id`, \
            `packets`.`seeds` FROM `packets` WHERE `packets`.`seeds` > 0 ORDER BY \
            `packets`.`seeds` LIMIT 1) ORDER BY 2
            """,
            [[8, 5], [10, 1000]])
    }

    @Test
    func `a select of one column is an expression`() throws {
        try library.check(
            Variety.order(by: \.name).limit(3).select { v in
                (
                    v.name, Packet.where { $0.varietyID.eq(v.id) }.count(),
                    Packet.where { $0.varietyID.eq(v.id) }.select { $0.seeds.max() }
                )
            },
            """
            SELECT `varieties`.`name`, (SELECT count(*) FROM `packets` WHERE \
            `packets`.`varietyID` = `varieties`.`id`), (SELECT max(`packets`.`seeds`) FROM \
            `packets` WHERE `packets`.`varietyID` = `varieties`.`id`) FROM `varieties` ORDER BY \
            `varieties`.`name` LIMIT 3
            """,
            [
                ["Aji \"Amarillo\"", 1, 5], ["Black Krim", 2, 120], ["Dragon's Tongue", 2, 75],
            ])
        try library.check(
            Packet.where {
                $0.seeds > Packet.as(Other.self).select { $0.seeds.avg() }.cast(as: Int.self)
            }.order { $0.seeds.desc() }.select { ($0.id, $0.seeds) },
            """
            SELECT `packets`.`id`, `packets`.`seeds` FROM `packets` WHERE `packets`.`seeds` > \
            CAST((SELECT avg(`others`.`seeds`) FROM `packets` AS `others`) AS INTEGER) ORDER BY \
            `packets`.`seeds` DESC
            """,
            [[10, 1000], [9, 500], [4, 200]])
    }

    @Test
    func `a select of one column is an expression, continued`() throws {
        try library.check(
            Member.leftJoin(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }.where { m, _ in
                m.leftOn.is(nil)
            }.order { m, _ in (m.points.desc(), m.name.collate(.nocase)) }.limit(4).select { m, s in
                MemberLine.Columns(
                    name: m.name, sponsor: s.name ?? "–",
                    openLoans: Loan.where { $0.memberID.eq(m.id) && $0.returned.is(nil) }.count(),
                    lastTaken: Loan.where { $0.memberID.eq(m.id) }.select { $0.takenAt.max() })
            },
            """
            SELECT `members`.`name` AS `name`, coalesce(`sponsors`.`name`, '–') AS `sponsor`, \
            (SELECT count(*) FROM `loans` WHERE `loans`.`memberID` = `members`.`id` AND \
            `loans`.`returned` IS NULL) AS `openLoans`, (SELECT max(`loans`.`takenAt`) FROM \
            `loans` WHERE `loans`.`memberID` = `members`.`id`) AS `lastTaken` FROM `members` \
            LEFT JOIN `members` AS `sponsors` ON `members`.`sponsorID` = `sponsors`.`id` WHERE \
            `members`.`leftOn` IS NULL ORDER BY `members`.`points` DESC, `members`.`name` \
            COLLATE `NOCASE` LIMIT 4
            """,
            [
                ["Ada Lindqvist", "–", 1, "2026-01-05 09:00:00.000"],
                ["Farid", "Chidi", 1, "2025-08-20 12:00:00.000"],
                ["Bo O'Hara", "Ada Lindqvist", 1, "2026-01-06 10:30:00.500"],
                ["Chidi", "Ada Lindqvist", 2, "2025-08-20 12:00:00.000"],
            ])
    }

    @Test
    func `a select of one column is an expression, continued 2`() throws {
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, _ in
                p.seeds.eq(
                    Packet.as(Other.self).where { $0.varietyID.eq(p.varietyID) }.select {
                        $0.seeds.max()
                    }) && p.seeds > 20
            }.order { p, v in (v.name.collate(.nocase), p.id) }.limit(4).offset(1).select { p, v in
                (v.name, p.id, p.seeds)
            },
            """
            SELECT `varieties`.`name`, `packets`.`id`, `packets`.`seeds` FROM `packets` JOIN \
            `varieties` ON `packets`.`varietyID` = `varieties`.`id` WHERE `packets`.`seeds` = \
            (SELECT max(`others`.`seeds`) FROM `packets` AS `others` WHERE `others`.`varietyID` \
            = `packets`.`varietyID`) AND `packets`.`seeds` > 20 ORDER BY `varieties`.`name` \
            COLLATE `NOCASE`, `packets`.`id` LIMIT 4 OFFSET 1
            """,
            [
                ["Dragon's Tongue", 5, 75], ["Fish", 7, 60], ["Hutterite Soup", 4, 200],
                ["Merveille des Quatre Saisons", 9, 500],
            ])
    }
}
