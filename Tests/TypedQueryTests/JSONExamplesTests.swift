import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Trait.TableColumns,
    VarietyTrait.TableColumns
)

@Suite struct JSONExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `documents are read by paths`() throws {
        try library.check(
            Variety.where { $0.sowing.jsonExtract(\.months[0]) >= 3 }.order(by: \.id).select {
                ($0.name, $0.sowing.jsonExtract(\.months[-1]), $0.sowing.jsonExtract(\.months))
            },
            """
            SELECT `varieties`.`name`, json_extract(`varieties`.`sowing`, '$.`months`[#-1]'), \
            json_extract(`varieties`.`sowing`, '$.`months`') FROM `varieties` WHERE \
            json_extract(`varieties`.`sowing`, '$.`months`[0]') >= 3 ORDER BY `varieties`.`id`
            """,
            [
                ["Sungold", 4, "[3,4]"], ["Hutterite Soup", 6, "[5,6]"],
                ["Dragon's Tongue", 7, "[5,6,7]"],
            ])
        try library.check(
            Member.where { $0.address.jsonExtract(\.city).eq("Lund") }.order(by: \.id).select {
                ($0.id, $0.address, $0.address.jsonExtract(\.zip))
            },
            """
            SELECT `members`.`id`, json(`members`.`address`), json_extract(`members`.`address`, \
            '$.`zip`') FROM `members` WHERE json_extract(`members`.`address`, '$.`city`') = \
            'Lund' ORDER BY `members`.`id`
            """,
            [
                [1, "{\"city\":\"Lund\",\"lines\":[\"Storgatan 1\"],\"zip\":\"22222\"}", "22222"],
                [6, "{\"city\":\"Lund\",\"lines\":[\"Stora torg 4\"]}", nil],
            ])
    }

    @Test
    func `documents are read in binary form`() throws {
        try library.check(
            Member.find(2).select {
                ($0.address.jsonbExtract(\.lines), $0.address.jsonExtract(\.lines[1]))
            },
            """
            SELECT json(jsonb_extract(`members`.`address`, '$.`lines`')), \
            json_extract(`members`.`address`, '$.`lines`[1]') FROM `members` WHERE \
            `members`.`id` = 2
            """,
            [["[\"2 Quay St\",\"Flat 3\"]", "Flat 3"]])
    }

    @Test
    func `documents are changed`() throws {
        try library.check(
            Variety.find(V.blackKrim).update {
                $0.sowing = $0.sowing.jsonSet(\.depth, 1.5).jsonSet(\.months[0], 1)
            },
            """
            UPDATE `varieties` SET `sowing` = json_set(`varieties`.`sowing`, '$.`depth`', 1.5, \
            '$.`months`[0]', 1) WHERE `varieties`.`id` = '00000000-0000-4000-8000-000000000001'
            """,
            [],
            after: "SELECT `sowing` FROM `varieties` WHERE `id` LIKE '%01'",
            [["{\"depth\":1.5,\"indoors\":true,\"months\":[1,3,4]}"]])
        try library.check(
            Variety.find(V.soupBean).update {
                $0.sowing = $0.sowing.jsonReplace(\.indoors, true).jsonRemove(\.depth)
            },
            """
            UPDATE `varieties` SET `sowing` = json_remove(json_replace(`varieties`.`sowing`, \
            '$.`indoors`', json('true')), '$.`depth`') WHERE `varieties`.`id` = \
            '00000000-0000-4000-8000-000000000003'
            """,
            [],
            after: "SELECT `sowing` FROM `varieties` WHERE `id` LIKE '%03'",
            [["{\"indoors\":true,\"months\":[5,6]}"]])
    }

    @Test
    func `documents are changed, continued`() throws {
        try library.check(
            Variety.where { $0.habit.eq(.perennial) }.update {
                $0.aliases = $0.aliases.jsonAppend("O'Pepper 🌶")
            },
            """
            UPDATE `varieties` SET `aliases` = json_insert(`varieties`.`aliases`, '$[#]', \
            'O''Pepper 🌶') WHERE `varieties`.`habit` = 3
            """,
            [],
            after: "SELECT `aliases` FROM `varieties` WHERE `habit` = 3 ORDER BY `id`",
            [["[\"O'Pepper 🌶\"]"], ["[\"O'Pepper 🌶\"]"], ["[\"O'Pepper 🌶\"]"]])
        try library.check(
            Member.find(6).update {
                $0.address = $0.address.jsonbAppend(\.lines, "Back door").jsonbSet(\.zip, "22223")
            }.returning(\.address),
            """
            UPDATE `members` SET `address` = jsonb_set(jsonb_insert(`members`.`address`, \
            '$.`lines`[#]', 'Back door'), '$.`zip`', '22223') WHERE `members`.`id` = 6 RETURNING \
            json(`address`)
            """,
            [
                [
                    """
                    {"city":"Lund","lines":["Stora torg 4","Back door"],"zip":"22223"}
                    """
                ]
            ])
    }

    @Test
    func `an element is put between others`() throws {
        try library.check(
            Variety.find(V.merveille).update {
                $0.aliases = $0.aliases.jsonArrayInsert(\.[1], "Q\"S")
            }.returning(\.aliases),
            """
            UPDATE `varieties` SET `aliases` = (SELECT json_group_array(json(`e`.`value`) ORDER \
            BY `e`.`key`) FROM (SELECT `json_each`.`key` AS `key`, `varieties`.`aliases` -> \
            `json_each`.`fullkey` AS `value` FROM json_each(`varieties`.`aliases`) UNION ALL \
            SELECT 0.5, json_quote('Q`S')) AS `e`) WHERE `varieties`.`id` = \
            '00000000-0000-4000-8000-000000000007' RETURNING `aliases`
            """,
            [["[\"Four Seasons\",\"Q\\\"S\",\"4 Saisons\"]"]])
    }

    @Test
    func `arrays in documents have lengths`() throws {
        try library.check(
            Variety.order(by: \.id).limit(4).select {
                (
                    $0.name, $0.aliases.jsonArrayLength(), $0.sowing.jsonArrayLength(\.months),
                    $0.aliases.jsonEach().count()
                )
            },
            """
            SELECT `varieties`.`name`, json_array_length(`varieties`.`aliases`), \
            json_array_length(`varieties`.`sowing`, '$.`months`'), (SELECT count(*) FROM \
            json_each(`varieties`.`aliases`)) FROM `varieties` ORDER BY `varieties`.`id` LIMIT 4
            """,
            [
                ["Black Krim", 1, 3, 1], ["Sungold", 0, 2, 0], ["Hutterite Soup", 2, 2, 2],
                ["Dragon's Tongue", 1, 3, 1],
            ])
    }

    @Test
    func `values become arrays of JSON`() throws {
        try library.check(
            Variety.group(by: \.id).leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }.leftJoin(
                Trait.all
            ) { $1.traitCode.eq($2.code) }.where { v, _, _ in v.taxonID.in([6, 11]) }.order {
                v, _, _ in v.name
            }.select { v, _, t in
                VarietyDetail.Columns(name: v.name, traits: t.jsonGroupArray(order: t.code))
            },
            """
            SELECT `varieties`.`name` AS `name`, json_group_array(json_object('code', \
            `traits`.`code`, 'label', `traits`.`label`) ORDER BY `traits`.`code`) FILTER (WHERE \
            `traits`.`code` IS NOT NULL) AS `traits` FROM `varieties` LEFT JOIN \
            `varietiesTraits` ON `varieties`.`id` = `varietiesTraits`.`varietyID` LEFT JOIN \
            `traits` ON `varietiesTraits`.`traitCode` = `traits`.`code` WHERE \
            `varieties`.`taxonID` IN (6, 11) GROUP BY `varieties`.`id` ORDER BY \
            `varieties`.`name`
            """,
            [
                [
                    "Dragon's Tongue",
                    """
                    [{"code":"compact","label":"Compact"},{"code":"early","label":"Early\
                    "},{"code":"heirloom","label":"Heirloom"}]
                    """,
                ],
                [
                    "Hutterite Soup",
                    """
                    [{"code":"drought","label":"Drought tolerant"},{"code":"heirloom","l\
                    abel":"Heirloom"}]
                    """,
                ],
                ["Poppy 🌺 Mix", "[]"],
            ])
    }

    @Test
    func `values become arrays of JSON, continued`() throws {
        try library.check(
            Packet.group { $0.place.shelf }.order { $0.place.shelf }.select {
                (
                    $0.place.shelf,
                    $0.seeds.jsonGroupArray(order: $0.seeds.desc(), filter: $0.seeds > 0)
                )
            },
            """
            SELECT `packets`.`shelf`, json_group_array(`packets`.`seeds` ORDER BY \
            `packets`.`seeds` DESC) FILTER (WHERE `packets`.`seeds` > 0) FROM `packets` GROUP BY \
            `packets`.`shelf` ORDER BY `packets`.`shelf`
            """,
            [["A", "[120,60,40,30]"], ["B", "[200,75,10]"], ["C", "[1000,500,30,5]"]])
    }
}
