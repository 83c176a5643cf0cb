import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns
)

@Suite struct JSONExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `rows become objects of JSON`() throws {
        try library.check(
            Variety.find(V.fish).select { $0.jsonObject() },
            """
            SELECT json_object('id', `varieties`.`id`, 'name', `varieties`.`name`, 'taxonID', \
            `varieties`.`taxonID`, 'habit', `varieties`.`habit`, 'aliases', \
            json(`varieties`.`aliases`), 'sowing', json(`varieties`.`sowing`), \
            'isOpenPollinated', json(CASE WHEN `varieties`.`isOpenPollinated` THEN 'true' WHEN \
            NOT `varieties`.`isOpenPollinated` THEN 'false' END), 'daysToHarvest', \
            `varieties`.`daysToHarvest`, 'added_on', `varieties`.`added_on`) FROM `varieties` \
            WHERE `varieties`.`id` = '00000000-0000-4000-8000-000000000005'
            """,
            [
                [
                    """
                    {"id":"00000000-0000-4000-8000-000000000005","name":"Fish","taxonID"\
                    :8,"habit":3,"aliases":[],"sowing":null,"isOpenPollinated":true,"day\
                    sToHarvest":80,"added_on":"2025-01-10 12:00:00.000"}
                    """
                ]
            ])
    }

    @Test
    func `rows become objects of JSON, continued`() throws {
        try library.check(
            Loan.where { $0.id < 3 }.select { $0.jsonGroupArray(order: $0.id) },
            """
            SELECT json_group_array(json_object('id', `loans`.`id`, 'packetID', \
            `loans`.`packetID`, 'memberID', `loans`.`memberID`, 'ticket', hex(`loans`.`ticket`), \
            'seeds', `loans`.`seeds`, 'takenAt', `loans`.`takenAt`, 'dueAt', `loans`.`dueAt`, \
            'returned', `loans`.`returned`) ORDER BY `loans`.`id`) FROM `loans` WHERE \
            `loans`.`id` < 3
            """,
            [
                [
                    """
                    [{"id":1,"packetID":1,"memberID":2,"ticket":"00000000000040008000000\
                    000000001","seeds":10,"takenAt":"2025-03-01 10:00:00.000","dueAt":"2\
                    025-11-01 00:00:00.000","returned":30},{"id":2,"packetID":1,"memberI\
                    D":3,"ticket":"00000000000040008000000000000002","seeds":5,"takenAt"\
                    :"2025-03-02 11:30:00.000","dueAt":"2025-11-01 00:00:00.000","return\
                    ed":null}]
                    """
                ]
            ])
    }

    @Test
    func `elements of documents are rows`() throws {
        try library.check(
            Variety.where { $0.sowing.jsonEach(\.months).where { $0.value.eq(2) }.exists() }.order(
                by: \.name
            ).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE EXISTS (SELECT 1 FROM \
            json_each(`varieties`.`sowing`, '$.`months`') WHERE `json_each`.`value` = 2) ORDER \
            BY `varieties`.`name`
            """,
            [["Aji \"Amarillo\""], ["Black Krim"], ["Rosa Bianca"]])
        try library.check(
            Variety.where { $0.sowing.jsonEach(\.months).where { $0.value.in([3, 4]) }.exists() }
                .join(Packet.where { $0.seeds > 0 }) { $0.id.eq($1.varietyID) }.group { v, _ in v.id
                }.order { v, p in (v.sowing.jsonExtract(\.indoors).desc(), v.name) }.limit(5).select
            { v, p in
                SowNow.Columns(
                    name: v.name, indoors: v.sowing.jsonExtract(\.indoors) ?? false,
                    depth: v.sowing.jsonExtract(\.depth), seeds: p.seeds.sum() ?? 0)
            },
            """
            SELECT `varieties`.`name` AS `name`, coalesce(json_extract(`varieties`.`sowing`, \
            '$.`indoors`'), 0) AS `indoors`, json_extract(`varieties`.`sowing`, '$.`depth`') AS \
            `depth`, coalesce(sum(`packets`.`seeds`), 0) AS `seeds` FROM `varieties` JOIN \
            `packets` ON `varieties`.`id` = `packets`.`varietyID` WHERE EXISTS (SELECT 1 FROM \
            json_each(`varieties`.`sowing`, '$.`months`') WHERE `json_each`.`value` IN (3, 4)) \
            AND `packets`.`seeds` > 0 GROUP BY `varieties`.`id` ORDER BY \
            json_extract(`varieties`.`sowing`, '$.`indoors`') DESC, `varieties`.`name` LIMIT 5
            """,
            [
                ["Black Krim", 1, 0.5, 120], ["Rosa Bianca", 1, 0.5, 30], ["Sungold", 1, 0.5, 40],
            ])
    }

    @Test
    func `elements of documents are joined`() throws {
        try library.check(
            Variety.join(Variety.columns.sowing.jsonEach(\.months)) { _, _ in true }.group { _, m in
                m.value
            }.order { _, m in m.value }.select { v, m in
                (m.value, v.name.groupConcat("; ", order: v.name))
            },
            """
            SELECT `json_each`.`value`, group_concat(`varieties`.`name`, '; ' ORDER BY \
            `varieties`.`name`) FROM `varieties` JOIN json_each(`varieties`.`sowing`, \
            '$.`months`') ON 1 GROUP BY `json_each`.`value` ORDER BY `json_each`.`value`
            """,
            [
                [1, "Aji \"Amarillo\""], [2, "Aji \"Amarillo\"; Black Krim; Rosa Bianca"],
                [3, "Black Krim; Rosa Bianca; Sungold"], [4, "Black Krim; Sungold"],
                [5, "Dragon's Tongue; Hutterite Soup"], [6, "Dragon's Tongue; Hutterite Soup"],
                [7, "Dragon's Tongue"],
            ])
        try library.check(
            Variety.where { $0.taxonID.in([6, 8]) }.leftJoin(Variety.columns.aliases.jsonEach()) {
                _, _ in true
            }.order { v, a in (v.id, a.key) }.select { ($0.name, $1.value) },
            """
            SELECT `varieties`.`name`, `json_each`.`value` FROM `varieties` LEFT JOIN \
            json_each(`varieties`.`aliases`) ON 1 WHERE `varieties`.`taxonID` IN (6, 8) ORDER BY \
            `varieties`.`id`, `json_each`.`key`
            """,
            [
                ["Hutterite Soup", "Haricot \"Hutterite\""], ["Hutterite Soup", "Soup bean"],
                ["Dragon's Tongue", "Dragon Langerie"], ["Fish", nil],
            ])
    }

    @Test
    func `elements of documents are joined, continued`() throws {
        try library.check(
            Variety.join(Variety.columns.sowing.jsonEach(\.months)) { _, m in m.value >= 4 }
                .leftJoin(Variety.columns.aliases.jsonEach().as(N.self)) { _, _, _ in true }.order {
                    v, m, n in (v.name, m.value, n.key)
                }.limit(5).select { v, m, n in (v.name, m.value, n.value) },
            """
            SELECT `varieties`.`name`, `json_each`.`value`, `ns`.`value` FROM `varieties` JOIN \
            json_each(`varieties`.`sowing`, '$.`months`') ON `json_each`.`value` >= 4 LEFT JOIN \
            json_each(`varieties`.`aliases`) AS `ns` ON 1 ORDER BY `varieties`.`name`, \
            `json_each`.`value`, `ns`.`key` LIMIT 5
            """,
            [
                ["Black Krim", 4, "Noire de Crimée"], ["Dragon's Tongue", 5, "Dragon Langerie"],
                ["Dragon's Tongue", 6, "Dragon Langerie"],
                ["Dragon's Tongue", 7, "Dragon Langerie"],
                ["Hutterite Soup", 5, "Haricot \"Hutterite\""],
            ])
    }

    @Test(.proves("TEX-045"))
    func `elements of binary documents are rows`() throws {
        try library.check(
            Member.join(Member.columns.address.jsonbEach(\.lines)) { _, _ in true }.order { m, l in
                (m.id, l.key)
            }.select { ($0.name, $1.key, $1.value) },
            """
            SELECT `members`.`name`, `json_each`.`key`, `json_each`.`value` FROM `members` JOIN \
            json_each(`members`.`address`, '$.`lines`') ON 1 ORDER BY `members`.`id`, \
            `json_each`.`key`
            """,
            [
                ["Ada Lindqvist", 0, "Storgatan 1"], ["Bo O'Hara", 0, "2 Quay St"],
                ["Bo O'Hara", 1, "Flat 3"], ["Farid", 0, "Stora torg 4"],
            ])
    }

    @Test
    func `operators of JSON stand in SQL`() throws {
        try library.check(
            Member.where { $0.address.isNot(nil) }.order(by: \.id).select {
                #sql("\($0.address) ->> '$.city'", as: String?.self)
            },
            """
            SELECT `members`.`address` ->> '$.city' FROM `members` WHERE `members`.`address` IS \
            NOT NULL ORDER BY `members`.`id`
            """,
            [["Lund"], ["Cork"], ["Köln"], ["Lund"]])
    }
}
