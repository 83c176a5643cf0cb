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

private enum Chief: AliasName { static let aliasName = "the \"chiefs\"" }

@Suite struct QueryLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TQS-001"))
    func `rows are fetched whole`() throws {
        let all = "SELECT `traits`.`code`, `traits`.`label` FROM `traits`"
        #expect(Trait.all.text == all)
        let hot = Trait.where { $0.code.eq("hot") }
        let ordered = Trait.order { $0.code }
        let table = With {
            Trait.where { $0.code > "o" }
        } query: {
            Trait.self
        }
        #expect(
            table.text
                == """
                WITH `traits` AS (SELECT `traits`.`code`, `traits`.`label` FROM `traits` WHERE \
                `traits`.`code` > 'o') SELECT `traits`.`code`, `traits`.`label` FROM `traits`
                """)
        try library.queue.read { (db) throws in
            let rows: [Trait] = try Trait.all.fetchAll(db)
            #expect(rows.count == 7)
            #expect(try hot.fetchAll(db).map(\.label) == ["Hot 🌶"])
            #expect(try ordered.fetchAll(db).first?.code == "compact")
            #expect(hot.text == all + " WHERE `traits`.`code` = 'hot'")
            #expect(ordered.text == all + " ORDER BY `traits`.`code`")
        }
    }

    @Test(.proves("TQS-007"))
    func `clauses compose in any order, and statements are values`() async throws {
        #expect(
            Variety.limit(1).where(\.isOpenPollinated).text
                == Variety.where(\.isOpenPollinated).limit(1).text)
        let base = Packet.where { $0.seeds > 5 }
        let a = base.order(by: \.id).limit(2).group(by: \.place.shelf).select(\.id)
        let b = Packet.select(\.id).group(by: \.place.shelf).limit(2).order(by: \.id)
            .where { $0.seeds > 5 }
        #expect(a.query == b.query)
        #expect(Packet.distinct().offset(1).having { $0.count() > 1 }.select(\.id).text
            == Packet.select(\.id).having { $0.count() > 1 }.offset(1).distinct().text)
        #expect(base.text.hasSuffix(" WHERE `packets`.`seeds` > 5"))
        // The same value is used by several tasks, and again.
        let queue = library.queue
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...4 { group.addTask { try await queue.read { try base.fetchCount($0) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [10, 10, 10, 10])
        // Conditions after an outer join are another thing than those before it.
        let before = Variety.leftJoin(Packet.where { $0.seeds > 100 }) { $0.id.eq($1.varietyID) }
        let after = Variety.leftJoin(Packet.all) { $0.id.eq($1.varietyID) }
            .where { _, p in p.seeds > 100 }
        #expect(try await queue.read { try before.fetchCount($0) } == 10)
        #expect(try await queue.read { try after.fetchCount($0) } == 4)
    }

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
            .select { ($0.id, $1.id, $2.name, $3.name, $4.name, $5.id.year, $6.traitCode, $7.label) }
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

    @Test(.proves("TQS-010"))
    func `rows are counted`() throws {
        #expect(Packet.count().text == "SELECT count(*) FROM `packets`")
        #expect(Packet.where { $0.seeds > 9 }.count().text
            == "SELECT count(*) FROM `packets` WHERE `packets`.`seeds` > 9")
        #expect(
            Variety.count { !$0.isOpenPollinated }.text
                == "SELECT count(*) FILTER (WHERE NOT `varieties`.`isOpenPollinated`) FROM `varieties`")
        let shelves = Packet.group(by: \.place.shelf).order(by: \.place.shelf)
            .select(\.place.shelf).count()
        #expect(
            shelves.text
                == """
                SELECT `packets`.`shelf`, count(*) FROM `packets` GROUP BY `packets`.`shelf` \
                ORDER BY `packets`.`shelf`
                """)
        try library.queue.read { (db) throws in
            let count: Int? = try Packet.count().fetchOne(db)
            #expect(count == 12)
            #expect(try Variety.count { !$0.isOpenPollinated }.fetchOne(db) == 2)
            #expect(try shelves.fetchAll(db).map(\.1) == [5, 3, 4])
            #expect(try Packet.limit(3).fetchCount(db) == 3)
            let distinct = Packet.distinct().select { $0.place.shelf.count(distinct: true) }
            #expect(try distinct.fetchOne(db) == 3)
        }
    }

    @Test(.proves("TQS-012"))
    func `rows are found by the key of the first table`() throws {
        #expect(Taxon.find(1).text.hasSuffix(" WHERE `taxons`.`id` = 1"))
        #expect(Taxon.Draft.find(1).text.hasSuffix(" WHERE `taxons`.`id` = 1"))
        #expect(
            Taxon.where { $0.rank.eq(.genus) }.find(2).text
                .hasSuffix(" WHERE `taxons`.`rank` = 'genus' AND `taxons`.`id` = 2"))
        #expect(Taxon.select(\.name).find([1, 2]).text.hasSuffix(" WHERE `taxons`.`id` IN (1, 2)"))
        #expect(Taxon.find([7]).text.hasSuffix(" WHERE `taxons`.`id` = 7"))
        #expect(Taxon.find([Int]()).text.hasSuffix(" WHERE 0"))
        #expect(Taxon.find(Set([7])).text.hasSuffix(" WHERE `taxons`.`id` = 7"))
        let keys = Taxon.where { $0.parentID.is(nil) }.select(\.id)
        #expect(
            Taxon.find(keys).count().text
                == """
                SELECT count(*) FROM `taxons` WHERE `taxons`.`id` IN (SELECT `taxons`.`id` FROM \
                `taxons` WHERE `taxons`.`parentID` IS NULL)
                """)
        #expect(Taxon.update { $0.name = "x" }.find(1).text
            == "UPDATE `taxons` SET `name` = 'x' WHERE `taxons`.`id` = 1")
        #expect(Taxon.delete().find([1, 2]).text == "DELETE FROM `taxons` WHERE `taxons`.`id` IN (1, 2)")
        let joined = Variety.join(Taxon.all) { $0.taxonID.eq($1.id) }.find(V.fish).select { $1.name }
        #expect(joined.text.contains(" WHERE `varieties`.`id` = '00000000-0000-4000-8000-000000000005'"))
        #expect(try library.queue.read { try joined.fetchAll($0) } == ["Capsicum annuum"])
        let trial = Trial.find(Trial.ID(varietyID: V.rosa, year: 2022))
        #expect(try library.queue.read { try trial.fetchOne($0)?.score } == 4)
        #expect(try library.queue.read { try Taxon.find(keys).fetchCount($0) } == 4)
    }

    @Test(.proves("TQS-013", "TQS-015"))
    func `where is a query that becomes a select, an update or a delete`() throws {
        let open: Where<Variety> = Variety.where(\.isOpenPollinated)
        #expect(open.text.hasSuffix(" WHERE `varieties`.`isOpenPollinated`"))
        #expect(Variety.where { $0.isOpenPollinated && $0.daysToHarvest > 80 }.text
            .hasSuffix(" WHERE `varieties`.`isOpenPollinated` AND `varieties`.`daysToHarvest` > 80"))
        #expect(Variety.where { _ in true }.text.hasSuffix(" WHERE 1"))
        #expect(Variety.where { _ in false }.text.hasSuffix(" WHERE 0"))
        let perhaps = Variety.where { $0.daysToHarvest > 80 }
        #expect(open.update { $0.daysToHarvest = 1 }.text
            == "UPDATE `varieties` SET `daysToHarvest` = 1 WHERE `varieties`.`isOpenPollinated`")
        #expect(perhaps.delete().text == "DELETE FROM `varieties` WHERE `varieties`.`daysToHarvest` > 80")
        try library.queue.write { (db) throws in
            let rows: [Variety] = try open.fetchAll(db)
            #expect(rows.count == 8)
            #expect(try perhaps.select(\.name).fetchCount(db) == 3)
            #expect(try Variety.where { _ in false }.fetchCount(db) == 0)
            try open.update { $0.daysToHarvest = 1 }.execute(db)
            #expect(try perhaps.fetchCount(db) == 1)
        }
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

    @Test(.proves("TQS-026"))
    func `a joined query with other clauses is a subquery`() throws {
        let latest = Taxon.join(Variety.order(by: \.addedOn).limit(3)) { $0.id.eq($1.taxonID) }
        #expect(latest.text.contains(" JOIN (SELECT `varieties`.`id`, `varieties`.`name`, "))
        #expect(latest.text.hasSuffix(
            " ORDER BY `varieties`.`added_on` LIMIT 3) AS `varieties` ON `taxons`.`id` = `varieties`.`taxonID`"))
        let distinct = Taxon.join(Variety.distinct().offset(1)) { $0.id.eq($1.taxonID) }
        #expect(distinct.text.contains(" JOIN (SELECT DISTINCT `varieties`.`id`"))
        let base = Taxon.distinct().limit(2).join(Variety.all) { $0.id.eq($1.taxonID) }
            .select { t, _ in t.name }
        #expect(base.text.hasPrefix("SELECT DISTINCT `taxons`.`name` FROM `taxons` JOIN `varieties`"))
        #expect(base.text.hasSuffix(" LIMIT 2"))
        let stocks = Packet.group(by: \.varietyID).having { $0.count() > 1 }
            .select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0) }
        let totals = Variety.leftJoin(Stock.from(stocks)) { $0.id.eq($1.varietyID) }
            .where { _, s in s.seeds.isNot(nil) }.order { v, _ in v.id }.select { ($0.name, $1.seeds) }
        let rows = try library.queue.read { try totals.fetchAll($0) }
        #expect(rows.map(\.0) == ["Black Krim", "Dragon's Tongue"] && rows.map(\.1) == [120, 85])
        let grouped = Variety.leftJoin(
            Packet.group(by: \.varietyID).having { $0.count() > 1 }
                .select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0) }
        ) { $0.id.eq($1.varietyID) }
        _ = grouped
    }

    @Test(.proves("TQS-031"))
    func `rows are ordered`() throws {
        #expect(Trait.order(by: \.label).text.hasSuffix(" ORDER BY `traits`.`label`"))
        #expect(Trait.order { $0.label }.text.hasSuffix(" ORDER BY `traits`.`label`"))
        #expect(
            Variety.order { ($0.isOpenPollinated, $0.habit.desc(nulls: .first)) }.text.hasSuffix(
                " ORDER BY `varieties`.`isOpenPollinated`, `varieties`.`habit` DESC NULLS FIRST"))
        #expect(
            Trait.order(by: \.label).order { $0.code.desc() }.text
                .hasSuffix(" ORDER BY `traits`.`label`, `traits`.`code` DESC"))
        func ordered(_ sort: Sort?, _ isReversed: Bool) -> String {
            Packet.order {
                if let sort {
                    switch sort {
                    case .name: $0.place.shelf
                    case .stock: $0.seeds.desc(); $0.grams
                    }
                }
                if isReversed { $0.id.desc() }
            }.text
        }
        #expect(!ordered(nil, false).contains("ORDER BY"))
        #expect(ordered(.name, false).hasSuffix(" ORDER BY `packets`.`shelf`"))
        #expect(
            ordered(.stock, true).hasSuffix(
                " ORDER BY `packets`.`seeds` DESC, `packets`.`grams`, `packets`.`id` DESC"))
        #expect(ordered(nil, true).hasSuffix(" ORDER BY `packets`.`id` DESC"))
    }

    @Test
    func `a select of one column is an expression`() throws {
        let counts = Taxon.find(1).select { ($0.name, Packet.count()) }
        #expect(
            counts.text.hasPrefix("SELECT `taxons`.`name`, (SELECT count(*) FROM `packets`) FROM"))
        let certain: [(String, Int)] = try library.queue.read { try counts.fetchAll($0) }
        #expect(certain[0].1 == 12)
        let others = Taxon.find(1).select {
            (
                $0.id, Packet.find(99).select(\.seeds), Packet.select { $0.seeds.max() },
                Packet.limit(0).select { $0.count() }, Packet.group(by: \.id).select { $0.count() },
                Packet.select { $0.count() }.limit(0),
                Packet.select(\.seeds).union(Loan.where { $0.id < 0 }.select(\.seeds))
            )
        }
        let row: (Int, Int?, Int?, Int?, Int?, Int?, Int?) = try #require(
            try library.queue.read { try others.fetchOne($0) })
        #expect(row.1 == nil && row.2 == 1000 && row.3 == nil && row.4 == 1 && row.5 == nil)
        #expect(row.6 == 0)
    }

    @Test(.proves("TQS-040", "TQS-041"))
    func `a table has another name, under which it does everything`() throws {
        #expect(Member.as(Sponsor.self).all.text.hasSuffix(" FROM `members` AS `sponsors`"))
        #expect(
            Member.as(Chief.self).select(\.id).debugSQL
                == #"SELECT "the ""chiefs"""."id" FROM "members" AS "the ""chiefs""""#)
        #expect(
            Member.as(Sponsor.self).find(1).select(\.name).text
                == "SELECT `sponsors`.`name` FROM `members` AS `sponsors` WHERE `sponsors`.`id` = 1")
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
        #expect(Trait.as(Old.self).update { $0.label = "x" }.text == "UPDATE `traits` AS `olds` SET `label` = 'x'")
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
            #expect(!rows.isEmpty && rows.map(\.0) == same.map(\.0) && rows.map(\.1) == same.map(\.1))
        }
    }
}

extension TableColumn where QueryValue == Int? {
    fileprivate var isMissing: SQLQueryExpression<Bool> { self.is(nil) }
}
