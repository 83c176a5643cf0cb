import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns, OpenName.TableColumns, Variety.TableColumns
)

@Suite struct RestLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("CAN-003"))
    func `columns stand behind the name of their table, but where SQL wants them bare`() throws {
        #expect(
            Trait.insert {
                ($0.code, $0.label)
            } values: {
                ("a", "b")
            } onConflict: {
                $0.code
            } doUpdate: {
                $0.label = $1.label
            }.text
                == """
                INSERT INTO `traits` (`code`, `label`) VALUES ('a', 'b') ON CONFLICT (`code`) \
                DO UPDATE SET `label` = `excluded`.`label`
                """)
        #expect(
            Loan.join(Packet.all, using: \.id).text.contains(" JOIN `packets` USING (`id`)"))
        // A subquery of RETURNING takes the table's own name, the rest none.
        let changed = Trait.as(Mark.self).where { $0.code.eq("hot") }.update {
            $0.label = "x"
        }.returning { trait in
            (trait.code, VarietyTrait.where { $0.traitCode.eq(trait.code) }.count())
        }
        #expect(
            changed.text
                == """
                UPDATE `traits` AS `marks` SET `label` = 'x' WHERE `marks`.`code` = 'hot' RETURNING `code`, \
                (SELECT count(*) FROM `varietiesTraits` \
                WHERE `varietiesTraits`.`traitCode` = `traits`.`code`)
                """)
        #expect(Far.where { $0.id > 1 }.text.hasSuffix("WHERE `aux`.`far`.`id` > 1"))
        try library.queue.inDatabase { db in
            try db.inTransaction {
                let codes = try changed.fetchAll(db).map(\.0)
                #expect(codes == ["hot"])
                return .rollback
            }
        }
    }

    @Test(.proves("CAN-010"))
    func `values are bound, but in what must be the text of an index`() throws {
        func values(_ statement: some StrongroomTables.Statement) -> Int {
            statement.query.prepare { _ in "?" }.bindings.count
        }
        let query = Member.where { $0.name.like("a\\%", escape: "\\") && $0.points > 3 }.limit(2)
        #expect(values(query) == 3)
        #expect(query.query.prepare { _ in "?" }.sql.contains("LIKE ? ESCAPE '\\'"))
        #expect(values(Member.update { $0.name = "x" }) == 1)
        #expect(values(Variety.select { $0.sowing.jsonExtract(\.depth) }) == 0)
        #expect(values(Loan.select { $0.takenAt.strftime("%Y") }) == 0)
        #expect(values(Loan.select { $0.takenAt(.startOfMonth) }) == 0)
        #expect(values(GrowNote.order { $0.bm25([\.title: 2]) }) == 0)
        #expect(values(Member.where { ($0.points > 3).likelihood(0.25) }) == 1)
        #expect(
            values(
                Member.select {
                    $0.points.sum().over(
                        .order($0.id).rows(from: .preceding(2), to: .currentRow))
                }) == 0)
        let pairs = Member.select { ($0.id, $0.name) }
        #expect(values(pairs.union(pairs).order { $0.1.desc() }) == 0)
        let partial = Trait.insert {
            Trait(code: "x", label: "y")
        } onConflict: {
            $0.code
        } where: {
            $0.label.neq("it's")
        }
        try library.queue.inDatabase { db in
            try db.execute(sql: "CREATE INDEX byYear ON loans (strftime('%Y', takenAt))")
            let plan = try Loan.where { $0.takenAt.strftime("%Y").eq("2025") }.explainQueryPlan(db)
            #expect(plan.uses(index: "byYear"))
        }
        #expect(partial.text.contains("ON CONFLICT (`code`) WHERE `label` <> 'it''s' DO NOTHING"))
        #expect(values(partial) == 2)
    }

    @Test(.proves("TBL-036"))
    func `static queries are added to any query on their type`() throws {
        let stocked = Packet.order(by: \.id).stocked
        #expect(
            stocked.select(\.id).text
                == """
                SELECT `packets`.`id` FROM `packets` WHERE `packets`.`seeds` > 0 \
                ORDER BY `packets`.`id`
                """)
        let ids = stocked.select(\.id)
        let expected = Packet.stocked.order(by: \.id).select(\.id)
        #expect(
            Packet.where { $0.id < 4 }.stocked.text.contains("`id` < 4 AND `packets`.`seeds` > 0"))
        let joined = Loan.join(Packet.all) { $0.packetID.eq($1.id) }.open
        #expect(joined.text.hasSuffix("WHERE `loans`.`returned` IS NULL"))
        let drafts = Packet.Draft.stocked.order(by: \.id)
        let more: Where<Packet.Draft> = Packet.Draft.where { $0.id < 3 }.stocked
        try library.queue.read { (db) throws in
            #expect(try ids.fetchAll(db) == expected.fetchAll(db))
            let found: [Packet.Draft] = try drafts.fetchAll(db)
            #expect(try found.map(\.id) == expected.fetchAll(db).map { $0 })
            #expect(try more.fetchAll(db).allSatisfy { $0.seeds > 0 })
        }
    }

    @Test(.proves("TIN-016"))
    func `drafts are queried like their table`() throws {
        try library.queue.read { (db) throws in
            let all: [Taxon.Draft] = try Taxon.Draft.all.fetchAll(db)
            #expect(try all.count == Taxon.fetchCount(db))
            let some: [Taxon.Draft] = try Taxon.Draft.where { $0.rank.eq(.family) }.fetchAll(db)
            #expect(!some.isEmpty && some.allSatisfy { $0.rank == .family && $0.id != nil })
            let one: Taxon.Draft? = try Taxon.Draft.find(1).fetchOne(db)
            #expect(one?.id == 1)
            let stocked: Packet.Draft? = try Packet.Draft.stocked.fetchOne(db)
            #expect(stocked != nil)
        }
    }

    @Test(.proves("TQS-038"))
    func `a select of one column is a value, NULL where there may be no row`() throws {
        let query = Trait.order(by: \.code).limit(1).select { trait in
            (
                trait.code, VarietyTrait.count(), Member.where { $0.id.eq(99) }.select(\.name),
                Member.select { $0.points.total() },
                Member.group(by: \.role).select { $0.id.count() }
            )
        }
        let rows: [(String, Int, String?, Double?, Int?)] = try library.queue.read {
            try query.fetchAll($0)
        }
        #expect(rows.count == 1 && rows[0].2 == nil && rows[0].3 != nil)
        #expect(
            query.text.contains(
                "(SELECT count(*) FROM `varietiesTraits`), (SELECT `members`.`name` FROM"))
        let compound = Member.find(1).select(\.id).union(Member.find(2).select(\.id))
        let values: [Int?] = try library.queue.read {
            try Trait.limit(1).select { _ in compound }.fetchAll($0)
        }
        #expect(values == [1])
    }

    @Test(.proves("TQS-049"))
    func `With is a statement like others`() throws {
        let open = With {
            Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) }
        } query: {
            OpenName.select { $0.name }
        }
        let count = With {
            Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) }
        } query: {
            OpenName.count()
        }
        try library.queue.write { (db) throws in
            let names = try open.fetchAll(db)
            #expect(try Variety.where { $0.name.in(open) }.fetchCount(db) == names.count)
            #expect(try open.union(Member.find(1).select(\.name)).fetchCount(db) == names.count + 1)
            #expect(try Trait.limit(1).select { _ in open.exists() }.fetchAll(db) == [true])
            #expect(try Trait.limit(1).select { _ in count }.fetchAll(db) == [names.count])
            #expect(try open.fetchSet(db) == Set(names) && open.fetchCount(db) == names.count)
            #expect(try open.fetchOne(db) == names.first && !open.isEmpty(db))
            try db.execute(sql: "CREATE VIEW openOnes AS \(open.debugSQL)")
            #expect(try String.fetchAll(db, sql: "SELECT * FROM openOnes") == names)
        }
    }

    @Test(.proves("TEX-003"))
    func `Swift's own comparison is as it was next to queries`() throws {
        let limit: Int? = 2
        let isTwo = limit == 2 && limit != nil
        let flag = isTwo
        let query = Member.where {
            if isTwo { $0.points > 1 }
            #bind(flag)
            true
        }
        #expect(query.text.hasSuffix("WHERE `members`.`points` > 1 AND 1"))
        #expect(Member.where { _ in false }.text.hasSuffix("WHERE 0"))
        #expect(Member.where { $0.leftOn.isNot(nil) }.text.hasSuffix("`leftOn` IS NOT NULL"))
    }

    @Test
    func `the changed clock of SQLite has the form of the date next to it`() throws {
        #expect(
            sql(Loan.self) { $0.dueAt < .now(.days(-7)) }
                == "`dueAt` < datetime('now', '-7 days', 'subsec')")
        #expect(
            sql(Member.self) { $0.joined <= .now(.days(1)) }
                == "`joined` <= julianday('now', '1 days')")
    }

    @Test(.proves("TBL-056"))
    func `views and tables without rowid are restricted by their key`() throws {
        let few = OpenLoan.order(by: \.id).limit(2).delete()
        #expect(
            few.text
                == """
                DELETE FROM `openLoans` WHERE `openLoans`.`id` IN (SELECT `openLoans`.`id` \
                FROM `openLoans` ORDER BY `openLoans`.`id` LIMIT 2)
                """)
        let trials = Trial.order(by: \.score).limit(1).delete()
        let key = "(`trials`.`varietyID`, `trials`.`year`)"
        #expect(trials.text.hasPrefix("DELETE FROM `trials` WHERE \(key) IN (SELECT "))
        try library.queue.write { (db) throws in
            try db.execute(
                sql: "CREATE VIEW openLoans AS SELECT id, seeds FROM loans WHERE returned IS NULL")
            let count = try Trial.fetchCount(db)
            try trials.execute(db)
            #expect(try Trial.fetchCount(db) == count - 1)
            #expect(try OpenLoan.fetchCount(db) == Loan.open.fetchCount(db))
            #expect(try UnmarkedLoan.fetchCount(db) == Loan.open.fetchCount(db))
            #expect(throws: QueryBuildingError.self) {
                try KeylessLoan.limit(1).delete().execute(db)
            }
        }
    }

    @Test
    func `the rows of a compound are made into others`() throws {
        let pairs = Member.find(1).select { ($0.id, $0.name) }
            .union(Member.find(2).select { ($0.id, $0.name) }).order { $0.0.desc() }
        let names = pairs.map { id, name in (name, id + 10) }
        #expect(
            names.text.hasPrefix("WITH `compound` (`c1`, `c2`) AS (SELECT `members`.`id`, "))
        #expect(
            names.text.hasSuffix("SELECT `compound`.`c2`, `compound`.`c1` + 10 FROM `compound`"))
        let rows = pairs.map { _, name in OpenName.Columns(name: name.upper()) }
        try library.queue.read { (db) throws in
            let found = try names.fetchAll(db)
            #expect(found.map(\.1) == [12, 11])
            #expect(try rows.fetchAll(db).map(\.name) == found.map { $0.0.uppercased() })
            #expect(try rows.fetchCount(db) == 2)
            #expect(try names.fetchOne(db)?.1 == 12)
            let ids = Member.select(\.id).except(Member.find(1).select(\.id)).map { $0 * 2 }
            #expect(try Member.where { $0.id.in(ids) }.fetchCount(db) > 0)
            #expect(
                try Member.none.select(\.id).union(Member.none.select(\.id)).map { $0 }
                    .fetchAll(db).isEmpty)
        }
    }
}

private enum Mark: AliasName {}
@Table(.view) struct OpenLoan: Identifiable, Equatable { let id: Int; var seeds: Int }
@Table("openLoans") struct UnmarkedLoan: Identifiable { let id: Int }
@Table("openLoans", .view) struct KeylessLoan { var seeds: Int }
@Table("far", schema: "aux") struct Far { let id: Int }
