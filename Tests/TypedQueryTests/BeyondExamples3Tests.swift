import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct BeyondExamples3Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `BYD-028`() throws {
        try library.check(
            try Member.findOrInsert(db, by: { $0.email }) { Member.Draft(name: "Somebody", email: "bo@seeds.example", joined: day("2026-01-01")) },
            """
            INSERT INTO `members` (`name`, `email`, `sponsorID`, `role`, `joined`, `leftOn`, \
            `address`, `points`) VALUES ('Somebody', 'bo@seeds.example', NULL, 'grower', \
            2461041.5, NULL, NULL, 0) ON CONFLICT (`email`) DO UPDATE SET `email` = \
            `members`.`email` RETURNING `id`, `name`, `email`, `sponsorID`, `role`, `joined`, \
            `leftOn`, json(`address`), `points`
            """,
            [
                [
                    2, "Bo O'Hara", "bo@seeds.example", 1, "grower", 2459700.5, nil,
                    "{\"city\":\"Cork\",\"lines\":[\"2 Quay St\",\"Flat 3\"]}", 15,
                ],
            ],
            after: "SELECT count(*) FROM `members`",
            [[8]])
    }

    @Test
    func `pages follow one another`() throws {
        try library.check(
            Loan.order { ($0.takenAt, $0.id) }.after(last).limit(3).select(\.id),
            """
            SELECT `loans`.`id` FROM `loans` WHERE (`loans`.`takenAt`, `loans`.`id`) > \
            ('2025-08-20 12:00:00.000', 6) ORDER BY `loans`.`takenAt`, `loans`.`id` LIMIT 3
            """,
            [[7], [9], [10]])
        try library.check(
            Packet.where { $0.seeds > 0 }.order { ($0.seeds.desc(), $0.id) }.after(last).limit(3).select { ($0.id, $0.seeds) },
            """
            SELECT `packets`.`id`, `packets`.`seeds` FROM `packets` WHERE `packets`.`seeds` > 0 \
            AND (`packets`.`seeds` < 30 OR (`packets`.`seeds` = 30 AND `packets`.`id` > 11)) \
            ORDER BY `packets`.`seeds` DESC, `packets`.`id` LIMIT 3
            """,
            [[12, 30], [6, 10], [8, 5]])
        try library.check(
            Variety.where(\.isOpenPollinated).join(Taxon.all) { $0.taxonID.eq($1.id) }.order { v, _ in (v.addedOn, v.id) }.after(last).limit(3).select { ($0.name, $1.name) },
            """
            SELECT `varieties`.`name`, `taxons`.`name` FROM `varieties` JOIN `taxons` ON \
            `varieties`.`taxonID` = `taxons`.`id` WHERE `varieties`.`isOpenPollinated` AND \
            (`varieties`.`added_on`, `varieties`.`id`) > ('2025-01-10 12:00:00.000', \
            '00000000-0000-4000-8000-000000000005') ORDER BY `varieties`.`added_on`, \
            `varieties`.`id` LIMIT 3
            """,
            [
                ["Aji \"Amarillo\"", "Capsicum"],
                ["Merveille des Quatre Saisons", "Lactuca sativa"], ["Poppy 🌺 Mix", "Papaver"],
            ])
    }

    @Test
    func `pages follow one another, continued`() throws {
        try library.check(
            Loan.order { ($0.dueAt.asc(nulls: .last), $0.id) }.after(last).limit(4).select { ($0.id, $0.dueAt) },
            """
            SELECT `loans`.`id`, `loans`.`dueAt` FROM `loans` WHERE `loans`.`dueAt` > \
            '2026-02-01 00:00:00.000' OR `loans`.`dueAt` IS NULL OR (`loans`.`dueAt` IS \
            '2026-02-01 00:00:00.000' AND `loans`.`id` > 6) ORDER BY `loans`.`dueAt` ASC NULLS \
            LAST, `loans`.`id` LIMIT 4
            """,
            [
                [7, "2026-02-01 00:00:00.000"], [9, "2026-10-01 00:00:00.000"],
                [10, "2026-10-01 00:00:00.000"], [4, nil],
            ])
    }

    @Test
    func `columns are qualified`() throws {
        try library.check(
            Trait.as(Old.self).find("hot").update { $0.label = "Hot" }.returning { t in (t.code, VarietyTrait.where { $0.traitCode.eq(t.code) }.count()) },
            """
            UPDATE `traits` AS `olds` SET `label` = 'Hot' WHERE `olds`.`code` = 'hot' RETURNING \
            `code`, (SELECT count(*) FROM `varietiesTraits` WHERE `varietiesTraits`.`traitCode` \
            = `traits`.`code`)
            """,
            [["hot", 2]])
    }

    @Test
    func `chains stay flat`() throws {
        try library.check(
            Packet.where { (($0.seeds + 1) * 2 - 10).gt(100) && !$0.place.box.eq(1) }.select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE (((`packets`.`seeds` + 1) * 2) - 10) > \
            100 AND NOT (`packets`.`box` = 1)
            """,
            [[7], [10]])
        try library.check(
            Packet.where { ($0.seeds.between(20, and: 60) || $0.grams.is(nil)) && $0.place.shelf.neq("C") }.select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE ((`packets`.`seeds` BETWEEN 20 AND 60) OR \
            `packets`.`grams` IS NULL) AND `packets`.`shelf` <> 'C'
            """,
            [[2], [3], [7], [11]])
        try library.check(
            Packet.find(1).select { $0.seeds + ($0.place.box + 1) },
            """
            SELECT `packets`.`seeds` + (`packets`.`box` + 1) FROM `packets` WHERE `packets`.`id` \
            = 1
            """,
            [[122]])
    }
}
