import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns, Trial.TableColumns,
    Stock.TableColumns, OpenName.TableColumns, Sums.TableColumns
)

@Suite struct JoinLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TQS-008"))
    func `closures take the columns of each table in order`() throws {
        let query = Loan.join(Packet.all) { $0.packetID.eq($1.id) }
            .join(Variety.all) { _, p, v in p.varietyID.eq(v.id) }
            .join(Taxon.all) { $2.taxonID.eq($3.id) }
            .join(Member.all) { l, _, _, _, m in l.memberID.eq(m.id) }
            .join(Trial.all) { _, _, v, _, _, t in v.id.eq(t.id.varietyID) }
            .join(VarietyTrait.all) { _, _, v, _, _, _, vt in v.id.eq(vt.varietyID) }
            .join(Trait.all) { _, _, _, _, _, _, vt, t in vt.traitCode.eq(t.code) }
            .where { l, _, _, _, _, _, _, _ in l.id.eq(1) }
            .order { l, _, _, _, _, t, _, _ in (l.id, t.id.year) }
            .select {
                ($0.id, $1.id, $2.name, $3.name, $4.name, $5.id.year, $6.traitCode, $7.label)
            }
        let rows = try library.queue.read { try query.fetchAll($0) }
        #expect(rows.count == 2)
        #expect(rows[0].0 == 1 && rows[0].2 == "Black Krim" && rows[0].5 == 2023)
        #expect(rows[1].4 == "Bo O'Hara" && rows[1].5 == 2024 && rows[1].7 == "Heirloom")
        // A key path starts at the first table.
        let paths = Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where(\.returned.isMissing)
            .order(by: \.id).select(\.id)
        #expect(paths.text.hasSuffix("WHERE `loans`.`returned` IS NULL ORDER BY `loans`.`id`"))
        let using = VarietyTrait.join(Trial.all, using: \.varietyID)
        #expect(using.text.hasSuffix(" JOIN `trials` USING (`varietyID`)"))
        let by = Packet.join(Loan.all) { $0.id.eq($1.packetID) }.join(Variety.all, by: \.varietyID)
        #expect(by.text.hasSuffix(" JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id`"))
    }

    @Test(.proves("TQS-021"))
    func `a right or full join makes earlier tables and selections optional`() throws {
        let right = Loan.select(\.id).rightJoin(Member.select(\.id)) { $0.memberID.eq($1.id) }
        let rows: [(Int?, Int)] = try library.queue.read { try right.fetchAll($0) }
        #expect(rows.count == 12)
        #expect(rows.filter { $0.0 == nil }.map(\.1).sorted() == [7, 8])
        let full = Loan.fullJoin(Member.all) { $0.memberID.eq($1.id) && $1.id < 3 }
        let pairs: [(Loan?, Member?)] = try library.queue.read { try full.fetchAll($0) }
        #expect(pairs.contains { $0.0 == nil } && pairs.contains { $0.1 == nil })
        let three = Loan.join(Packet.all) { $0.packetID.eq($1.id) }
            .rightJoin(Member.all) { l, _, m in l.memberID.eq(m.id) }
            .where { l, p, _ in l.seeds.is(nil) && p.seeds.is(nil) }
        let missing: [(Loan?, Packet?, Member)] = try library.queue.read { try three.fetchAll($0) }
        #expect(missing.map(\.2.id).sorted() == [7, 8])
    }

    @Test(.proves("TQS-023"))
    func `a query with joins is joined`() throws {
        let lent = Packet.join(Loan.open) { $0.id.eq($1.packetID) }
        try library.check(
            Variety.leftJoin(lent) { $0.id.eq($1.varietyID) }.order { v, _, l in (v.name, l.id) }
                .limit(5).select { v, p, l in (v.name, p.id, l.id) },
            """
            SELECT `varieties`.`name`, `packets`.`id`, `loans`.`id` FROM `varieties` LEFT JOIN \
            (`packets` JOIN `loans` ON `packets`.`id` = `loans`.`packetID`) ON `varieties`.`id` \
            = `packets`.`varietyID` AND `loans`.`returned` IS NULL ORDER BY `varieties`.`name`, \
            `loans`.`id` LIMIT 5
            """,
            [
                ["Aji \"Amarillo\"", nil, nil], ["Black Krim", 1, 2], ["Dragon's Tongue", 5, 10],
                ["Fish", nil, nil], ["Hutterite Soup", 4, 4],
            ])
        let inner = Variety.join(lent) { v, p, l in v.id.eq(p.varietyID) && l.seeds > 9 }
            .select { v, _, l in (v.name, l.id) }
        #expect(
            inner.text
                == """
                SELECT `varieties`.`name`, `loans`.`id` FROM `varieties` JOIN `packets` ON \
                `varieties`.`id` = `packets`.`varietyID` AND `loans`.`seeds` > 9 JOIN `loans` ON \
                `packets`.`id` = `loans`.`packetID` WHERE `loans`.`returned` IS NULL
                """)
        let four = Taxon.join(Variety.all) { $0.id.eq($1.taxonID) }
            .leftJoin(lent) { _, v, p in v.id.eq(p.varietyID) }
            .order { t, v, p, l in (v.name, l.id) }
        let rows: [(Taxon, Variety, Packet?, Loan?)] = try library.queue.read {
            try four.fetchAll($0)
        }
        #expect(rows.map(\.1.name).prefix(2) == ["Aji \"Amarillo\"", "Black Krim"])
        #expect(rows.map { $0.3?.id }.prefix(2) == [nil, 2])
        let three = Taxon.leftJoin(Variety.join(lent) { $0.id.eq($1.varietyID) }) {
            $0.id.eq($1.taxonID)
        }.where { t, _, _, _ in t.id < 4 }.order { t, _, _, l in (t.id, l.id) }
        let found: [(Taxon, Variety?, Packet?, Loan?)] = try library.queue.read {
            try three.fetchAll($0)
        }
        #expect(found.map(\.0.id) == [1, 2, 3, 3] && found.map { $0.3?.id } == [nil, nil, 2, 9])
    }

    @Test(.proves("TQS-026"))
    func `a joined query with other clauses is a subquery`() throws {
        let latest = Taxon.join(Variety.order(by: \.addedOn).limit(3)) { $0.id.eq($1.taxonID) }
        #expect(latest.text.contains(" JOIN (SELECT `varieties`.`id`, `varieties`.`name`, "))
        #expect(
            latest.text.hasSuffix(
                " ORDER BY `varieties`.`added_on` LIMIT 3) AS `varieties` ON `taxons`.`id` = `varieties`.`taxonID`"
            ))
        let distinct = Taxon.join(Variety.distinct().offset(1)) { $0.id.eq($1.taxonID) }
        #expect(distinct.text.contains(" JOIN (SELECT DISTINCT `varieties`.`id`"))
        let base = Taxon.distinct().limit(2).join(Variety.all) { $0.id.eq($1.taxonID) }
            .select { t, _ in t.name }
        #expect(
            base.text.hasPrefix("SELECT DISTINCT `taxons`.`name` FROM `taxons` JOIN `varieties`"))
        #expect(base.text.hasSuffix(" LIMIT 2"))
        let stocks = Packet.group(by: \.varietyID).having { $0.count() > 1 }
            .select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0) }
        let totals = Variety.leftJoin(Stock.from(stocks)) { $0.id.eq($1.varietyID) }
            .where { _, s in s.seeds.isNot(nil) }.order { v, _ in v.id }.select {
                ($0.name, $1.seeds)
            }
        let rows = try library.queue.read { try totals.fetchAll($0) }
        #expect(rows.map(\.0) == ["Black Krim", "Dragon's Tongue"] && rows.map(\.1) == [120, 85])
        let grouped = Variety.leftJoin(
            Packet.group(by: \.varietyID).having { $0.count() > 1 }
                .select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0) }
        ) { $0.id.eq($1.varietyID) }
        _ = grouped
    }

    @Test(.proves("TQS-040", "TQS-041"))
    func `a table has another name, under which it does everything`() throws {
        #expect(Member.as(Sponsor.self).all.text.hasSuffix(" FROM `members` AS `sponsors`"))
        #expect(
            Member.as(Chief.self).select(\.id).debugSQL
                == #"SELECT "the ""chiefs"""."id" FROM "members" AS "the ""chiefs""""#)
        #expect(
            Member.as(Sponsor.self).find(1).select(\.name).text
                == "SELECT `sponsors`.`name` FROM `members` AS `sponsors` WHERE `sponsors`.`id` = 1"
        )
        #expect(
            Member.as(Sponsor.self).where { $0.points > 1 }.order(by: \.id).count().text
                == """
                SELECT count(*) FROM `members` AS `sponsors` WHERE `sponsors`.`points` > 1 ORDER \
                BY `sponsors`.`id`
                """)
        #expect(
            Member.as(Sponsor.self).leftJoin(Member.all) { $0.id.eq($1.sponsorID) }
                .select { ($0.id, $1.id) }.text
                    == """
                    SELECT `sponsors`.`id`, `members`.`id` FROM `members` AS `sponsors` LEFT JOIN \
                    `members` ON `sponsors`.`id` = `members`.`sponsorID`
                    """)
        #expect(
            Trait.as(Old.self).insert { Trait(code: "new", label: "New") }.text
                == "INSERT INTO `traits` AS `olds` (`code`, `label`) VALUES ('new', 'New')")
        #expect(
            Trait.as(Old.self).update { $0.label = "x" }.text
                == "UPDATE `traits` AS `olds` SET `label` = 'x'")
        #expect(
            Trait.as(Old.self).where { $0.code.eq("x") }.delete().text
                == "DELETE FROM `traits` AS `olds` WHERE `olds`.`code` = 'x'")
        try library.queue.write { (db) throws in
            try Trait.as(Old.self).insert { Trait(code: "new", label: "New") }.execute(db)
            try Trait.as(Old.self).find("new").update { $0.label += "!" }.execute(db)
            #expect(try Trait.as(Old.self).find("new").fetchOne(db)?.label == "New!")
            try Trait.as(Old.self).find("new").delete().execute(db)
            #expect(try Trait.as(Old.self).all.fetchCount(db) == 7)
            #expect(try Member.as(Chief.self).where { $0.points > 20 }.fetchCount(db) == 2)
        }
    }

    @Test(.proves("TQS-043"))
    func `a finished statement is renamed everywhere but in texts`() throws {
        let query = Member.leftJoin(Loan.all) { $0.id.eq($1.memberID) }
            .where { m, _ in
                m.name.neq("\"members\".\"id\"")
                Loan.as(Other.self).where { $0.memberID.eq(m.id) && $0.seeds > m.points }.exists()
            }
            .group { m, _ in m.id }.having { m, l in l.seeds.sum() > m.points }
            .order { m, _ in m.name }
            .select { m, l in (m.name, l.count()) }
        let renamed = query.as(Sponsor.self)
        #expect(
            renamed.text
                == """
                SELECT `sponsors`.`name`, count(`loans`.`id`) FROM `members` AS `sponsors` LEFT \
                JOIN `loans` ON `sponsors`.`id` = `loans`.`memberID` WHERE `sponsors`.`name` <> \
                '`members`.`id`' AND EXISTS (SELECT 1 FROM `loans` AS `others` WHERE \
                `others`.`memberID` = `sponsors`.`id` AND `others`.`seeds` > `sponsors`.`points`) \
                GROUP BY `sponsors`.`id` HAVING sum(`loans`.`seeds`) > `sponsors`.`points` ORDER \
                BY `sponsors`.`name`
                """)
        try library.queue.read { (db) throws in
            let rows = try query.fetchAll(db)
            let same = try renamed.fetchAll(db)
            #expect(
                !rows.isEmpty && rows.map(\.0) == same.map(\.0) && rows.map(\.1) == same.map(\.1))
        }
    }
}
