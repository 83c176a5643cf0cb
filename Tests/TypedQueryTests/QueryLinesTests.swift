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

enum Chief: AliasName { static let aliasName = "the \"chiefs\"" }

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
            Trait.where { $0.code > "o" }.select { OpenName.Columns(name: $0.code) }
        } query: {
            OpenName.self
        }
        #expect(
            table.text
                == """
                WITH `openNames` AS (SELECT `traits`.`code` AS `name` FROM `traits` WHERE \
                `traits`.`code` > 'o') SELECT `openNames`.`name` FROM `openNames`
                """)
        try library.queue.read { (db) throws in
            let rows: [Trait] = try Trait.all.fetchAll(db)
            #expect(rows.count == 7)
            let names: [OpenName] = try table.fetchAll(db)
            #expect(names.map(\.name) == ["odd", "off"])
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
        #expect(
            Packet.distinct().offset(1).having { $0.count() > 1 }.select(\.id).text
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

    @Test(.proves("TQS-010"))
    func `rows are counted`() throws {
        #expect(Packet.count().text == "SELECT count(*) FROM `packets`")
        #expect(
            Packet.where { $0.seeds > 9 }.count().text
                == "SELECT count(*) FROM `packets` WHERE `packets`.`seeds` > 9")
        #expect(
            Variety.count { !$0.isOpenPollinated }.text
                == "SELECT count(*) FILTER (WHERE NOT `varieties`.`isOpenPollinated`) FROM `varieties`"
        )
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
        #expect(
            Taxon.update { $0.name = "x" }.find(1).text
                == "UPDATE `taxons` SET `name` = 'x' WHERE `taxons`.`id` = 1")
        #expect(
            Taxon.delete().find([1, 2]).text == "DELETE FROM `taxons` WHERE `taxons`.`id` IN (1, 2)"
        )
        let joined = Variety.join(Taxon.all) { $0.taxonID.eq($1.id) }.find(V.fish).select {
            $1.name
        }
        #expect(
            joined.text.contains(" WHERE `varieties`.`id` = '00000000-0000-4000-8000-000000000005'")
        )
        #expect(try library.queue.read { try joined.fetchAll($0) } == ["Capsicum annuum"])
        let trial = Trial.find(Trial.ID(varietyID: V.rosa, year: 2022))
        #expect(try library.queue.read { try trial.fetchOne($0)?.score } == 4)
        #expect(try library.queue.read { try Taxon.find(keys).fetchCount($0) } == 4)
    }

    @Test(.proves("TQS-013", "TQS-015"))
    func `where is a query that becomes a select, an update or a delete`() throws {
        let open: Where<Variety> = Variety.where(\.isOpenPollinated)
        #expect(open.text.hasSuffix(" WHERE `varieties`.`isOpenPollinated`"))
        #expect(
            Variety.where { $0.isOpenPollinated && $0.daysToHarvest > 80 }.text
                .hasSuffix(
                    " WHERE `varieties`.`isOpenPollinated` AND `varieties`.`daysToHarvest` > 80"))
        #expect(Variety.where { _ in true }.text.hasSuffix(" WHERE 1"))
        #expect(Variety.where { _ in false }.text.hasSuffix(" WHERE 0"))
        let perhaps = Variety.where { $0.daysToHarvest > 80 }
        #expect(
            open.update { $0.daysToHarvest = 1 }.text
                == "UPDATE `varieties` SET `daysToHarvest` = 1 WHERE `varieties`.`isOpenPollinated`"
        )
        #expect(
            perhaps.delete().text
                == "DELETE FROM `varieties` WHERE `varieties`.`daysToHarvest` > 80")
        try library.queue.write { (db) throws in
            let rows: [Variety] = try open.fetchAll(db)
            #expect(rows.count == 8)
            #expect(try perhaps.select(\.name).fetchCount(db) == 3)
            #expect(try Variety.where { _ in false }.fetchCount(db) == 0)
            try open.update { $0.daysToHarvest = 1 }.execute(db)
            #expect(try perhaps.fetchCount(db) == 1)
        }
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
}

extension TableColumn where QueryValue == Int? {
    var isMissing: SQLQueryExpression<Bool> { self.is(nil) }
}
