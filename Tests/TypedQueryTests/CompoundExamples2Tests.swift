import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct CompoundExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

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

    @Test
    func `values are looked for in queries`() throws {
        try library.check(
            Member.where { m in
                m.id.notIn(Loan.where { $0.returned.is(nil) }.select(\.memberID))
                    && m.leftOn.is(nil)
            }.order(by: \.id).select(\.name),
            """
            SELECT `members`.`name` FROM `members` WHERE `members`.`id` NOT IN (SELECT \
            `loans`.`memberID` FROM `loans` WHERE `loans`.`returned` IS NULL) AND \
            `members`.`leftOn` IS NULL ORDER BY `members`.`id`
            """,
            [["Emi 🌱"], ["ada lindqvist"]])
        try library.check(
            Trial.join(Trial.as(Next.self).all) {
                $0.id.varietyID.eq($1.id.varietyID) && $1.id.year.eq($0.id.year + 1)
            }.join(Variety.all) { t, _, v in t.id.varietyID.eq(v.id) }.where { a, b, _ in
                b.score >= a.score
            }.order { _, _, v in v.name }.select { a, b, v in
                (v.name, a.score, b.score, b.score - a.score)
            },
            """
            SELECT `varieties`.`name`, `trials`.`score`, `nexts`.`score`, `nexts`.`score` - \
            `trials`.`score` FROM `trials` JOIN `trials` AS `nexts` ON `trials`.`varietyID` = \
            `nexts`.`varietyID` AND `nexts`.`year` = (`trials`.`year` + 1) JOIN `varieties` ON \
            `trials`.`varietyID` = `varieties`.`id` WHERE `nexts`.`score` >= `trials`.`score` \
            ORDER BY `varieties`.`name`
            """,
            [["Black Krim", 7, 9, 2], ["Dragon's Tongue", 8, 8, 0]])
    }
}
