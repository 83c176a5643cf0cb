import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns
)

@Suite struct OwnFunctionExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary.withFunctions() }

    @Test(.proves("FNC-001", "FNC-003"))
    func `a function is called by its name with a dollar`() throws {
        try library.check(
            Variety.order(by: \.name).limit(3).select { $slug($0.name) },
            """
            SELECT `slug`(`varieties`.`name`) FROM `varieties` ORDER BY `varieties`.`name` LIMIT 3
            """, [["aji-amarillo"], ["black-krim"], ["dragon-s-tongue"]])
        try library.check(
            Packet.where { $enough($0.seeds, atLeast: 100) }.order(by: \.id).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `has_enough`(`packets`.`seeds`, 100) ORDER \
            BY `packets`.`id`
            """, [[1], [4], [9], [10]])
        try library.check(
            Trait.update { $0.label = $slug($0.label) }.where { $0.code.in(["hot", "odd"]) }
                .returning { ($0.code, $0.label) },
            """
            UPDATE `traits` SET `label` = `slug`(`traits`.`label`) WHERE `traits`.`code` IN \
            ('hot', 'odd') RETURNING `code`, `label`
            """, [["hot", "hot"], ["odd", "50-off-type"]])
        #expect(slug("Black Krim") == "black-krim")
    }

    @Test(.proves("FNC-005"))
    func `an argument that is left out has the default of the function`() throws {
        try library.check(
            Packet.where { $enough($0.seeds) }.count(),
            "SELECT count(*) FROM `packets` WHERE `has_enough`(`packets`.`seeds`, 50)", [[6]])
    }

    @Test(.proves("FNC-007"))
    func `a table is one argument, and all its columns in SQL`() throws {
        try library.check(
            Trait.order(by: \.code).limit(2).select { $describe($0) },
            """
            SELECT `describe`(`traits`.`code`, `traits`.`label`) FROM `traits` ORDER BY \
            `traits`.`code` LIMIT 2
            """, [["compact: Compact"], ["drought: Drought tolerant"]])
    }

    @Test(.proves("FNC-008"))
    func `NULL is no text`() throws {
        try library.check(
            Member.where { $0.id.eq(7) }.select { $slug(#sql("\($0.email)", as: String.self)) },
            "SELECT `slug`(`members`.`email`) FROM `members` WHERE `members`.`id` = 7",
            error: "argument 1 of slug() is NULL")
    }

    @Test(.proves("FNC-006", "FNC-011"))
    func `a property has no arguments, and a document is one`() throws {
        try library.check(Values($season), "SELECT `season`()", [["spring"]])
        try library.check(
            Variety.where { $longest($0.aliases) > 10 }.order(by: \.id).select {
                ($0.name, $longest($0.aliases))
            },
            """
            SELECT `varieties`.`name`, `longest`(`varieties`.`aliases`) FROM `varieties` WHERE \
            `longest`(`varieties`.`aliases`) > 10 ORDER BY `varieties`.`id`
            """,
            [
                ["Black Krim", 15], ["Hutterite Soup", 19], ["Dragon's Tongue", 15],
                ["Merveille des Quatre Saisons", 12], ["Poppy 🌺 Mix", 11],
            ])
    }

    @Test(.proves("FNC-013", "FNC-015", "FNC-016"))
    func `a function of a sequence is an aggregate`() throws {
        try library.check(
            Packet.group { $0.place.shelf }.order { $0.place.shelf }.select {
                ($0.place.shelf, $median($0.seeds), $median($0.seeds, filter: $0.seeds > 0))
            },
            """
            SELECT `packets`.`shelf`, `median`(`packets`.`seeds`), `median`(`packets`.`seeds`) \
            FILTER (WHERE `packets`.`seeds` > 0) FROM `packets` GROUP BY `packets`.`shelf` ORDER \
            BY `packets`.`shelf`
            """, [["A", 40.0, 50.0], ["B", 75.0, 75.0], ["C", 265.0, 265.0]])
        try library.check(
            Packet.where { $0.seeds < 0 }.select { $median($0.seeds) },
            "SELECT `median`(`packets`.`seeds`) FROM `packets` WHERE `packets`.`seeds` < 0",
            [[nil]])
        try library.check(
            Trait.select {
                $join(
                    $0.code, separator: "+", order: $0.code.desc(), filter: $0.label.length() < 8)
            },
            """
            SELECT `join`(`traits`.`code`, '+' ORDER BY `traits`.`code` DESC) FILTER (WHERE \
            length(`traits`.`label`) < 8) FROM `traits`
            """, [["hot+early+compact"]])
    }

    @Test(.proves("FNC-018"))
    func `a collation orders texts`() throws {
        try library.check(
            Member.order { $0.name.collate($folded) }.select(\.name),
            "SELECT `members`.`name` FROM `members` ORDER BY `members`.`name` COLLATE `folded`",
            [
                ["Ada Lindqvist"], ["ada lindqvist"], ["Bo O'Hara"], ["Chidi"],
                ["Dörte \"Dee\" Maß"], ["Emi 🌱"], ["Farid"], ["Grete"],
            ], ordered: false)
    }

    @Test
    func `functions stand in joins, groups and orders`() throws {
        try library.check(
            Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where { loan, packet in
                $enough(packet.seeds, atLeast: 60) && loan.returned.is(nil)
            }.group { _, p in p.place.shelf }.order { l, p in (l.count().desc(), p.place.shelf) }
                .select { l, p in
                    ShelfDemand.Columns(
                        shelf: p.place.shelf, loans: l.count(), median: $median(l.seeds))
                },
            """
            SELECT `packets`.`shelf` AS `shelf`, count(`loans`.`id`) AS `loans`, \
            `median`(`loans`.`seeds`) AS `median` FROM `loans` JOIN `packets` ON \
            `loans`.`packetID` = `packets`.`id` WHERE `has_enough`(`packets`.`seeds`, 60) AND \
            `loans`.`returned` IS NULL GROUP BY `packets`.`shelf` ORDER BY count(`loans`.`id`) \
            DESC, `packets`.`shelf`
            """, [["B", 2, 20.0], ["A", 1, 5.0], ["C", 1, 100.0]])
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, v in
                $enough(p.seeds, atLeast: 10) && $slug(v.name).neq("fish")
            }.group { p, _ in p.place.shelf }.having { p, _ in $median(p.seeds) > 30 }.order {
                p, _ in $median(p.seeds).desc()
            }.select { p, v in
                (
                    p.place.shelf, $median(p.seeds),
                    v.name.groupConcat("|", order: $slug(v.name))
                )
            },
            """
            SELECT `packets`.`shelf`, `median`(`packets`.`seeds`), \
            group_concat(`varieties`.`name`, '|' ORDER BY `slug`(`varieties`.`name`)) FROM \
            `packets` JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id` WHERE \
            `has_enough`(`packets`.`seeds`, 10) AND `slug`(`varieties`.`name`) <> 'fish' GROUP BY \
            `packets`.`shelf` HAVING `median`(`packets`.`seeds`) > 30.0 ORDER BY \
            `median`(`packets`.`seeds`) DESC
            """,
            [
                ["C", 500.0, "Merveille des Quatre Saisons|Poppy 🌺 Mix|rosa bianca"],
                ["B", 75.0, "Dragon's Tongue|Dragon's Tongue|Hutterite Soup"],
                ["A", 40.0, "Black Krim|Rosa Bianca|Sungold"],
            ])
    }
}
