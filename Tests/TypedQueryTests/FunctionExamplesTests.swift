import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Trait.TableColumns
)

@Suite struct FunctionExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `numbers are computed with`() throws {
        try library.check(
            Packet.where { $0.id < 4 }.order(by: \.id).select {
                ($0.seeds % 7, $0.seeds & 12, $0.seeds << 1, ~$0.seeds, -$0.seeds)
            },
            """
            SELECT `packets`.`seeds` % 7, `packets`.`seeds` & 12, `packets`.`seeds` << 1, \
            ~`packets`.`seeds`, -`packets`.`seeds` FROM `packets` WHERE `packets`.`id` < 4 ORDER \
            BY `packets`.`id`
            """,
            [[1, 8, 240, -121, -120], [0, 0, 0, -1, 0], [5, 8, 80, -41, -40]])
        try library.check(
            Packet.where { $0.id.in([1, 4]) }.order(by: \.id).select {
                (
                    ($0.seeds + 1 + $0.place.box) * 2, $0.seeds * 2 + $0.place.box * 3,
                    ($0.seeds - 1) - (10 - $0.place.box)
                )
            },
            """
            SELECT (`packets`.`seeds` + 1 + `packets`.`box`) * 2, (`packets`.`seeds` * 2) + \
            (`packets`.`box` * 3), (`packets`.`seeds` - 1) - (10 - `packets`.`box`) FROM \
            `packets` WHERE `packets`.`id` IN (1, 4) ORDER BY `packets`.`id`
            """,
            [[244, 243, 110], [404, 403, 190]])
        try library.check(
            Packet.find(2).select { $0.place.box / $0.seeds },
            """
            SELECT `packets`.`box` / `packets`.`seeds` FROM `packets` WHERE `packets`.`id` = 2
            """,
            error: "could not decode column 0: it is NULL, 'ifnull' gives a value")
    }

    @Test
    func `numbers have functions`() throws {
        try library.check(
            Packet.where { $0.grams.isNot(nil) }.order(by: \.id).limit(4).select {
                (
                    $0.grams.round(), $0.grams.round(2), $0.grams.ceil(), ($0.seeds - 60).abs(),
                    ($0.seeds - 60).sign()
                )
            },
            """
            SELECT round(`packets`.`grams`), round(`packets`.`grams`, 2), \
            ceil(`packets`.`grams`), abs(`packets`.`seeds` - 60), sign(`packets`.`seeds` - 60) \
            FROM `packets` WHERE `packets`.`grams` IS NOT NULL ORDER BY `packets`.`id` LIMIT 4
            """,
            [
                [1.0, 0.5, 1.0, 60, 1], [0.0, 0.13, 1.0, 20, -1], [90.0, 90.0, 90.0, 140, 1],
                [30.0, 30.0, 30.0, 15, 1],
            ])
    }

    @Test
    func `texts have functions`() throws {
        try library.check(
            Member.order(by: \.id).limit(4).select {
                (
                    $0.name.length(), $0.name.octetLength(), $0.email.upper(), $0.name.substr(1, 3),
                    $0.name.instr("a")
                )
            },
            """
            SELECT length(`members`.`name`), octet_length(`members`.`name`), \
            upper(`members`.`email`), substr(`members`.`name`, 1, 3), instr(`members`.`name`, \
            'a') FROM `members` ORDER BY `members`.`id` LIMIT 4
            """,
            [
                [13, 13, "ADA@SEEDS.EXAMPLE", "Ada", 3], [9, 9, "BO@SEEDS.EXAMPLE", "Bo ", 7],
                [5, 5, "CHIDI@SEEDS.EXAMPLE", "Chi", 0], [15, 17, nil, "Dör", 14],
            ])
        try library.check(
            Trait.order(by: \.code).limit(2).select {
                (
                    $0.label.replace("D", "d").trim("t"), $0.label.quote(), $0.code.hex(),
                    $0.code.unicode(), $0.code + "/" + $0.label.lower()
                )
            },
            """
            SELECT trim(replace(`traits`.`label`, 'D', 'd'), 't'), quote(`traits`.`label`), \
            hex(`traits`.`code`), unicode(`traits`.`code`), `traits`.`code` || '/' || \
            lower(`traits`.`label`) FROM `traits` ORDER BY `traits`.`code` LIMIT 2
            """,
            [
                ["Compac", "'Compact'", "636F6D70616374", 99, "compact/compact"],
                [
                    "drought toleran", "'Drought tolerant'", "64726F75676874", 100,
                    "drought/drought tolerant",
                ],
            ])
    }

    @Test(.proves("TEX-014"))
    func `texts fit patterns`() throws {
        try library.check(
            Variety.where { $0.name.like("%\"%") || $0.name.like("R%") }.order(by: \.id).select(
                \.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`name` LIKE '%`%' OR \
            `varieties`.`name` LIKE 'R%' ORDER BY `varieties`.`id`
            """,
            [["Aji \"Amarillo\""], ["Rosa Bianca"], ["rosa bianca"]])
        try library.check(
            Trait.where { $0.label.like("50\\%%", escape: "\\") }.select(\.code),
            """
            SELECT `traits`.`code` FROM `traits` WHERE `traits`.`label` LIKE '50\\%%' ESCAPE \
            '\\'
            """,
            [["odd"]])
        try library.check(
            Variety.where { $0.name.glob("[Rr]osa*") && !$0.name.glob("r*") }.select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`name` GLOB '[Rr]osa*' \
            AND NOT (`varieties`.`name` GLOB 'r*')
            """,
            [["Rosa Bianca"]])
        try library.check(
            Trait.where { $0.code.like($0.code.upper()) }.count(),
            "SELECT count(*) FROM `traits` WHERE `traits`.`code` LIKE upper(`traits`.`code`)",
            [[7]])
    }

    @Test
    func `texts fit patterns, continued`() throws {
        try library.check(
            Member.join(Member.as(Sponsor.self).all) { $0.email.like($1.email) }.where {
                $0.id.neq($1.id)
            }.count(),
            """
            SELECT count(*) FROM `members` JOIN `members` AS `sponsors` ON `members`.`email` \
            LIKE `sponsors`.`email` WHERE `members`.`id` <> `sponsors`.`id`
            """,
            [[0]])
    }

    @Test
    func `texts are compared by collations`() throws {
        try library.check(
            Member.where { $0.email.collate(.nocase).eq("farid@seeds.example") }.select(\.id),
            """
            SELECT `members`.`id` FROM `members` WHERE (`members`.`email` COLLATE `NOCASE`) = \
            'farid@seeds.example'
            """,
            [[6]])
        try library.check(
            Member.group { $0.name.collate(.nocase) }.having { $0.count() > 1 }.select {
                ($0.name.lower(), $0.count())
            },
            """
            SELECT lower(`members`.`name`), count(`members`.`id`) FROM `members` GROUP BY \
            `members`.`name` COLLATE `NOCASE` HAVING count(`members`.`id`) > 1
            """,
            [["ada lindqvist", 2]])
    }

    @Test
    func `blobs are made`() throws {
        try library.check(
            Packet.where { $0.id < 3 }.select {
                ($0.place.box.zeroblob(), $0.place.box.randomblob().octetLength())
            },
            """
            SELECT zeroblob(`packets`.`box`), octet_length(randomblob(`packets`.`box`)) FROM \
            `packets` WHERE `packets`.`id` < 3
            """,
            [[.hex("00"), 1], [.hex("00"), 1]])
    }

    @Test
    func `other values stand in for NULL`() throws {
        try library.check(
            Packet.order(by: \.id).limit(3).select {
                (
                    $0.grams ?? 0, $0.harvestYear.nullif(2021) ?? $0.germination.sown ?? -1,
                    $0.harvestYear.ifnull(0)
                )
            },
            """
            SELECT coalesce(`packets`.`grams`, 0.0), coalesce(nullif(`packets`.`harvestYear`, \
            2021), `packets`.`sown`, -1), ifnull(`packets`.`harvestYear`, 0) FROM `packets` \
            ORDER BY `packets`.`id` LIMIT 3
            """,
            [[0.5, 2023, 2023], [0.0, 10, 2021], [0.125, 2024, 2024]])
    }

    @Test
    func `expressions of optional values stay NULL`() throws {
        try library.check(
            Packet.where { $0.id < 4 }.order(by: \.id).select {
                $0.germination.sown.map { Case().when($0 > 15, then: "many").else("few") }
            },
            """
            SELECT CASE WHEN `packets`.`sown` IS NULL THEN NULL ELSE CASE WHEN `packets`.`sown` \
            > 15 THEN 'many' ELSE 'few' END END FROM `packets` WHERE `packets`.`id` < 4 ORDER BY \
            `packets`.`id`
            """,
            [["many"], ["few"], [nil]])
        try library.check(
            Member.where { $0.id < 5 }.order(by: \.id).select { $0.email.map { $0.upper() } },
            """
            SELECT upper(`members`.`email`) FROM `members` WHERE `members`.`id` < 5 ORDER BY \
            `members`.`id`
            """,
            [
                ["ADA@SEEDS.EXAMPLE"], ["BO@SEEDS.EXAMPLE"], ["CHIDI@SEEDS.EXAMPLE"], [nil],
            ])
        try library.check(
            Packet.where { $0.id.in([3, 6]) }.order(by: \.id).select {
                $0.harvestYear.map { $0 + 1 }
            },
            """
            SELECT `packets`.`harvestYear` + 1 FROM `packets` WHERE `packets`.`id` IN (3, 6) \
            ORDER BY `packets`.`id`
            """,
            [[2025], [nil]])
    }
}
