import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns
)

@Suite struct SelectExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `exists is an expression, continued 2`() throws {
        try library.check(
            Packet.where { $0.germination.is(nil) && $0.seeds > 0 }.join(Variety.all) {
                $0.varietyID.eq($1.id)
            }.join(VarietyTrait.where { $0.traitCode.neq("odd") }) { _, v, t in v.id.eq(t.varietyID)
            }.distinct().order { p, v, _ in (p.harvestYear.asc(nulls: .last), v.name) }.limit(4)
                .select { p, v, _ in (p.id, v.name, p.harvestYear) },
            """
            SELECT DISTINCT `packets`.`id`, `varieties`.`name`, `packets`.`harvestYear` FROM \
            `packets` JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id` JOIN \
            `varietiesTraits` ON `varieties`.`id` = `varietiesTraits`.`varietyID` WHERE \
            (`packets`.`sown`, `packets`.`sprouted`, `packets`.`testedAt`) IS (NULL, NULL, NULL) \
            AND `packets`.`seeds` > 0 AND `varietiesTraits`.`traitCode` <> 'odd' ORDER BY \
            `packets`.`harvestYear` ASC NULLS LAST, `varieties`.`name` LIMIT 4
            """,
            [
                [8, "Aji \"Amarillo\"", 2019], [5, "Dragon's Tongue", 2024], [3, "Sungold", 2024],
            ])
        try library.check(
            Member.where { m in
                m.leftOn.isNot(nil); !Loan.where { $0.memberID.eq(m.id) }.exists();
                !Member.as(Ward.self).where { $0.sponsorID.eq(m.id) }.exists()
            }.delete().returning { ($0.id, $0.name) },
            """
            DELETE FROM `members` WHERE `members`.`leftOn` IS NOT NULL AND NOT EXISTS (SELECT 1 \
            FROM `loans` WHERE `loans`.`memberID` = `members`.`id`) AND NOT EXISTS (SELECT 1 \
            FROM `members` AS `wards` WHERE `wards`.`sponsorID` = `members`.`id`) RETURNING \
            `id`, `name`
            """,
            [[7, "Grete"]])
    }

    @Test
    func `exists is an expression, continued 3`() throws {
        try library.check(
            Taxon.where { t in
                Variety.where { v in
                    v.taxonID.eq(t.id)
                        && Packet.where { p in
                            p.varietyID.eq(v.id)
                                && Loan.where { l in l.packetID.eq(p.id) && l.returned.is(nil) }
                                    .exists()
                        }.exists()
                }.exists(); t.rank.neq(.family)
            }.order(by: \.name).limit(5).select { ($0.name, $0.rank) },
            """
            SELECT `taxons`.`name`, `taxons`.`rank` FROM `taxons` WHERE EXISTS (SELECT 1 FROM \
            `varieties` WHERE `varieties`.`taxonID` = `taxons`.`id` AND EXISTS (SELECT 1 FROM \
            `packets` WHERE `packets`.`varietyID` = `varieties`.`id` AND EXISTS (SELECT 1 FROM \
            `loans` WHERE `loans`.`packetID` = `packets`.`id` AND `loans`.`returned` IS NULL))) \
            AND `taxons`.`rank` <> 'family' ORDER BY `taxons`.`name` LIMIT 5
            """,
            [
                ["Lactuca sativa", "species"], ["Phaseolus vulgaris", "species"],
                ["Solanum lycopersicum", "species"],
            ])
    }

    @Test
    func `rows are found by their keys`() throws {
        try library.check(
            Taxon.find(3),
            """
            SELECT `taxons`.`id`, `taxons`.`name`, `taxons`.`rank`, `taxons`.`parentID` FROM \
            `taxons` WHERE `taxons`.`id` = 3
            """,
            [[3, "Solanum lycopersicum", "species", 2]])
        try library.check(
            Variety.find([V.fish, V.aji]).order(by: \.id).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`id` IN \
            ('00000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000006') \
            ORDER BY `varieties`.`id`
            """,
            [["Fish"], ["Aji \"Amarillo\""]])
        try library.check(
            Trait.find(["hot"]),
            """
            SELECT `traits`.`code`, `traits`.`label` FROM `traits` WHERE `traits`.`code` = 'hot'
            """,
            [["hot", "Hot 🌶"]])
        try library.check(
            Taxon.find([Int]()).count(),
            "SELECT count(*) FROM `taxons` WHERE 0",
            [[0]])
    }

    @Test
    func `rows are found by their keys, continued`() throws {
        try library.check(
            Variety.find(Packet.where { $0.harvestYear.is(nil) }.select(\.varietyID)).select(
                \.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`id` IN (SELECT \
            `packets`.`varietyID` FROM `packets` WHERE `packets`.`harvestYear` IS NULL)
            """,
            [["Dragon's Tongue"]])
    }
}
