import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Trait.TableColumns, Loan.TableColumns,
    Stock.TableColumns, BigStock.TableColumns, OpenName.TableColumns, Count.TableColumns,
    Visited.TableColumns
)

/// A key of two columns with another name than `id`.
@Table("visits") struct Visited {
    @Selection struct Key: Hashable { let guest: Int; let day: Int }
    @Column(primaryKey: true) let key: Key
    var stars: Int?
}

@Suite struct WithLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TQS-045"))
    func `a query reads a table that is made for it`() throws {
        let names = With {
            Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) }
        } query: {
            OpenName.order(by: \.name)
        }
        #expect(
            names.text
                == """
                WITH `openNames` AS (SELECT `varieties`.`name` AS `name` FROM `varieties` WHERE \
                `varieties`.`isOpenPollinated`) SELECT `openNames`.`name` FROM `openNames` ORDER \
                BY `openNames`.`name`
                """)
        try library.queue.read { (db) throws in
            let rows: [OpenName] = try names.fetchAll(db)
            #expect(rows.count == 8 && rows[0].name == "Aji \"Amarillo\"")
        }
    }

    @Test(.proves("TQS-046"))
    func `tables are used in later ones, and by queries of all kinds`() throws {
        let big = BigStock.select(\.varietyID)
        let chosen = Variety.where { $0.id.in(big) }
        let select = With {
            stocks
            bigStocks
        } query: {
            chosen.order(by: \.name).select(\.name)
        }
        let update = With {
            stocks
            bigStocks
        } query: {
            chosen.update { $0.daysToHarvest = 1 }.returning(\.name)
        }
        let insert = With {
            stocks
            bigStocks
        } query: {
            Trait.insert {
                ($0.code, $0.label)
            } select: {
                chosen.select { ($0.name, $0.name) }
            }
            .returning(\.code)
        }
        let delete = With {
            stocks
            bigStocks
        } query: {
            Packet.where { $0.varietyID.in(big) && $0.seeds < 999 }.delete()
        }
        let head = "WITH `stocks` AS (SELECT `packets`.`varietyID` AS `varietyID`, "
        #expect(select.text.hasPrefix(head) && select.text.contains("), `bigStocks` AS (SELECT "))
        #expect(update.text.hasPrefix(head) && update.text.contains(") UPDATE `varieties` SET"))
        #expect(insert.text.hasPrefix(head) && insert.text.contains(") INSERT INTO `traits` ("))
        #expect(
            delete.text.hasPrefix(head) && delete.text.contains(") DELETE FROM `packets` WHERE"))
        let names = ["Merveille des Quatre Saisons", "Poppy 🌺 Mix"]
        try library.queue.write { (db) throws in
            let selected: [String] = try select.fetchAll(db)
            let updated: [String] = try update.fetchAll(db)
            let inserted: [String] = try insert.fetchAll(db)
            #expect(selected == names && updated.sorted() == names && inserted.sorted() == names)
            #expect(try Variety.where { $0.daysToHarvest.eq(1) }.fetchCount(db) == 2)
            try delete.execute(db)
            #expect(try Packet.fetchCount(db) == 11)
        }
    }

    private var stocks: Select<Stock, Tables1<Packet>> {
        Packet.group(by: \.varietyID).select {
            Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
        }
    }

    private var bigStocks: Select<BigStock, Tables1<Stock>> {
        Stock.where { $0.seeds > 400 }.select { BigStock.Columns(varietyID: $0.varietyID) }
    }

    @Test(.proves("TQS-047"))
    func `a value begins a table that reads itself`() throws {
        let one = With {
            Count(value: 1)
        } query: {
            Count.all
        }
        #expect(
            one.text
                == "WITH `counts` AS (SELECT 1 AS `value`) SELECT `counts`.`value` FROM `counts`")
        let many = With {
            Count(value: 1).union(all: true, Count.select { Count.Columns(value: $0.value + 1) })
        } query: {
            Count.limit(4)
        }
        #expect(
            many.text
                == """
                WITH RECURSIVE `counts` AS (SELECT 1 AS `value` UNION ALL SELECT `counts`.`value` \
                + 1 AS `value` FROM `counts`) SELECT `counts`.`value` FROM `counts` LIMIT 4
                """)
        try library.queue.read { (db) throws in
            #expect(try one.fetchAll(db).map(\.value) == [1])
            #expect(try many.fetchAll(db).map(\.value) == [1, 2, 3, 4])
        }
    }

    @Test(.proves("SEL-017"))
    func `a key of several columns has any name`() throws {
        #expect(sql(Visited.self) { $0.count() } == "count(*)")
        let key = Visited.Key(guest: 1, day: 2)
        #expect(
            Visited.find(key).text.hasSuffix(" WHERE (`visits`.`guest`, `visits`.`day`) = (1, 2)"))
        let outer = Packet.leftJoin(Visited.all) { $0.id.eq($1.key.guest) }.find([1, 2])
            .group { p, _ in p.id }.order { p, _ in p.id }.select { ($0.id, $1.count()) }
        #expect(outer.text.hasPrefix("SELECT `packets`.`id`, count(`visits`.`guest`) FROM"))
        try library.queue.write { (db) throws in
            try db.execute(
                sql: "CREATE TABLE visits (guest, day, stars, PRIMARY KEY (guest, day))")
            try Visited.insert { Visited(key: key, stars: 5) }.execute(db)
            #expect(try Visited.find(db, key: key).stars == 5)
            #expect(try Visited.select { $0.count() }.fetchOne(db) == 1)
            #expect(try outer.fetchAll(db).map(\.1) == [1, 0])
        }
    }
}
