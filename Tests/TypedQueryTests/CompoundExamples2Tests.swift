import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Member.TableColumns, Loan.TableColumns, Trial.TableColumns
)

@Suite struct CompoundExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

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
