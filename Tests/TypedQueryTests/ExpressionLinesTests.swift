import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trial.TableColumns, VarietyTrait.TableColumns
)

@Suite struct ExpressionLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func ids(_ query: Where<Packet>) throws -> [Int] {
        try library.queue.read { try query.order(by: \.id).select(\.id).fetchAll($0) }
    }

    @Test(.proves("TEX-001"))
    func `values are compared with values and with columns`() throws {
        #expect(sql(Packet.self) { $0.seeds.eq(30) } == "`seeds` = 30")
        #expect(sql(Packet.self) { $0.seeds.neq($0.id) } == "`seeds` <> `id`")
        #expect(sql(Packet.self) { $0.seeds.eq($0.harvestYear) } == "`seeds` = `harvestYear`")
        #expect(sql(Packet.self) { $0.harvestYear.neq($0.seeds) } == "`harvestYear` <> `seeds`")
        let certain: SQLQueryExpression<Bool> = Packet.columns.seeds.eq(1)
        let perhaps: SQLQueryExpression<Bool?> = Packet.columns.seeds.eq(Packet.columns.harvestYear)
        #expect(certain.queryFragment != perhaps.queryFragment)
        #expect(try ids(Packet.where { $0.harvestYear.eq(2024) }) == [3, 5, 9])
        // A row whose year is NULL is neither.
        #expect(try ids(Packet.where { $0.harvestYear.neq(2024) }).contains(6) == false)
    }

    @Test(.proves("TEX-004"))
    func `values of all types have an order`() throws {
        #expect(sql(Packet.self) { $0.seeds < 3 } == "`seeds` < 3")
        #expect(sql(Packet.self) { $0.seeds.lt(3) } == "`seeds` < 3")
        #expect(sql(Packet.self) { $0.seeds.gt($0.id) } == "`seeds` > `id`")
        #expect(sql(Packet.self) { $0.seeds.lte(3) } == "`seeds` <= 3")
        #expect(sql(Packet.self) { $0.seeds.gte(3) } == "`seeds` >= 3")
        #expect(sql(Packet.self) { $0.seeds <= $0.harvestYear } == "`seeds` <= `harvestYear`")
        #expect(sql(Packet.self) { $0.harvestYear >= $0.seeds } == "`harvestYear` >= `seeds`")
        #expect(sql(Packet.self) { $0.grams > 0.5 } == "`grams` > 0.5")
        #expect(sql(Member.self) { $0.name < "B" } == "`name` < 'B'")
        #expect(sql(Variety.self) { $0.isOpenPollinated < true } == "`isOpenPollinated` < 1")
        #expect(sql(Variety.self) { $0.habit >= .biennial } == "`habit` >= 2")
        #expect(
            sql(Loan.self) { $0.takenAt > day("2025-06-01") } == "`takenAt` > '2025-06-01 00:00:00.000'")
        #expect(
            sql(Packet.self) { $0.place < Place(shelf: "B", box: 2) } == "(`shelf`, `box`) < ('B', 2)")
        #expect(try ids(Packet.where { $0.place < Place(shelf: "A", box: 3) }) == [1, 2, 3])
    }

    @Test(.proves("TEX-006"))
    func `plain values are bound as the column stores them`() throws {
        #expect(sql(Variety.self) { $0.habit.eq(.perennial) } == "`habit` = 3")
        #expect(sql(Member.self) { $0.joined > day("2022-06-01") } == "`joined` > 2459731.5")
        #expect(
            sql(Packet.self) { $0.germination.testedAt.in([day("1970-01-02")]) } == "`testedAt` = 86400")
        #expect(
            sql(Loan.self) { $0.ticket.in([ticket(1), ticket(2)]) }
                == """
                `ticket` IN (X'00000000000040008000000000000001', \
                X'00000000000040008000000000000002')
                """)
        #expect(sql(Loan.self) { $0.ticket.between(ticket(1), and: ticket(2)) }.hasPrefix("`ticket` BETWEEN X'"))
        #expect(sql(Loan.self) { $0.ticket.isNot(ticket(1)) }.hasPrefix("`ticket` IS NOT X'"))
        #expect(sql(Variety.self) { $0.aliases.eq(["a"]) } == "`aliases` = '[\"a\"]'".replacing("\"", with: "`"))
        let found = try library.queue.read { (db) throws in
            try Loan.where { $0.ticket.in([ticket(2), ticket(3)]) }.select(\.id).fetchSet(db)
        }
        #expect(found == [2, 3])
    }

    @Test(.proves("TEX-007"))
    func `lists of any length are looked through`() throws {
        #expect(sql(Packet.self) { $0.id.in([1, 2]) } == "`id` IN (1, 2)")
        #expect(sql(Packet.self) { $0.id.in([1]) } == "`id` = 1")
        #expect(sql(Packet.self) { $0.id.in([Int]()) } == "0")
        #expect(sql(Packet.self) { $0.id.notIn([1, 2]) } == "`id` NOT IN (1, 2)")
        #expect(sql(Packet.self) { $0.id.notIn([1]) } == "`id` <> 1")
        #expect(sql(Packet.self) { $0.id.notIn([Int]()) } == "1")
        #expect(try ids(Packet.where { $0.id.notIn([Int]()) }).count == 12)

        let many = Array(3...40_000)
        let long = Packet.where { $0.id.in(many) }
        let (text, bindings) = long.query.prepare { _ in "?" }
        #expect(text.hasSuffix(#""packets"."id" IN (SELECT "value" FROM json_each(?))"#))
        #expect(bindings.count == 1)
        #expect(try ids(long) == Array(3...12))
        #expect(try ids(Packet.where { $0.id.notIn(many) }) == [1, 2])

        let tickets = (2...33_000).map { ticket($0) }
        let blobs = Loan.where { $0.ticket.in(tickets) }
        #expect(blobs.query.prepare { _ in "?" }.sql
            .hasSuffix(#""ticket" IN (SELECT unhex("value") FROM json_each(?))"#))
        #expect(try library.queue.read { try blobs.fetchCount($0) } == 9)
        let names = (0..<33_000).map { "x\"\u{1}\($0)" } + ["Bo O'Hara", "Emi 🌱"]
        let texts = Member.where { $0.name.in(names) }
        #expect(try library.queue.read { try texts.fetchCount($0) } == 2)
    }

    @Test(.proves("TEX-010"))
    func `numbers are computed with`() throws {
        #expect(sql(Packet.self) { $0.seeds + 1 - 2 } == "(`seeds` + 1) - 2")
        #expect(sql(Packet.self) { $0.grams * 2 / 3 } == "(`grams` * 2.0) / 3.0")
        #expect(sql(Packet.self) { $0.seeds % 7 } == "`seeds` % 7")
        #expect(sql(Packet.self) { -$0.seeds } == "-`seeds`")
        #expect(sql(Packet.self) { +$0.seeds } == "+`seeds`")
        #expect(sql(Packet.self) { $0.seeds & 1 | 2 } == "(`seeds` & 1) | 2")
        #expect(sql(Packet.self) { $0.seeds << 1 } == "`seeds` << 1")
        #expect(sql(Packet.self) { $0.seeds >> 1 } == "`seeds` >> 1")
        #expect(sql(Packet.self) { ~$0.seeds } == "~`seeds`")
        let perhaps: SQLQueryExpression<Int?> = Packet.columns.seeds + Packet.columns.harvestYear
        #expect("\(perhaps.queryFragment)" == #""packets"."seeds" + "packets"."harvestYear""#)
        let quotient: SQLQueryExpression<Int> = Packet.columns.id / Packet.columns.seeds
        try library.queue.read { (db) throws in
            #expect(try Packet.find(1).select { _ in perhaps }.fetchAll(db) == [2143])
            #expect(try Packet.find(6).select { _ in perhaps }.fetchAll(db) == [nil])
            #expect(throws: QueryDecodingError.self) {
                try Packet.find(2).select { _ in quotient }.fetchOne(db)
            }
            #expect(throws: QueryDecodingError.self) {
                try Packet.find(2).select { (0 - $0.id).cast(as: Double.self).sqrt() }.fetchOne(db)
            }
            #expect(throws: QueryDecodingError.self) {
                try Packet.find(2).select { $0.seeds.cast(as: Double.self).ln() }.fetchOne(db)
            }
        }
    }

    @Test(.proves("TEX-011"))
    func `numbers have functions`() throws {
        #expect(sql(Packet.self) { $0.seeds.abs() } == "abs(`seeds`)")
        #expect(sql(Packet.self) { $0.seeds.sign() } == "sign(`seeds`)")
        #expect(sql(Packet.self) { $0.grams.round() } == "round(`grams`)")
        #expect(sql(Packet.self) { $0.grams.round(2) } == "round(`grams`, 2)")
        #expect(sql(Packet.self) { least(of: $0.seeds, $0.id) } == "min(`seeds`, `id`)")
        #expect(sql(Packet.self) { greatest(of: $0.seeds, $0.id, 3) } == "max(`seeds`, `id`, 3)")
        let perhaps: SQLQueryExpression<Int?> = least(
            of: Packet.columns.seeds, Packet.columns.harvestYear)
        #expect("\(perhaps.queryFragment)" == #"min("packets"."seeds", "packets"."harvestYear")"#)
        let rounded: SQLQueryExpression<Double> = Packet.columns.seeds.round()
        let root: SQLQueryExpression<Double?> = Packet.columns.grams.sqrt()
        #expect("\(rounded.queryFragment) \(root.queryFragment)"
            == #"round("packets"."seeds") sqrt("packets"."grams")"#)
        try library.queue.read { (db) throws in
            let numbers = try #require(
                try Packet.find(9).select {
                    (
                        $0.grams.sqrt(), $0.grams.pow(2), $0.grams.exp(), $0.grams.ln(),
                        ($0.grams * 160).log(), $0.grams.floor(), $0.grams.ceil()
                    )
                }.fetchOne(db))
            #expect(numbers.0 == 0.625.squareRoot() && numbers.1 == 0.390625)
            #expect(numbers.2 == exp(0.625) && numbers.3 == log(0.625) && numbers.4 == 2)
            #expect(numbers.5 == 0 && numbers.6 == 1)
            let values = try #require(
                try Packet.find(9).select {
                    (rounded, ($0.seeds - 600).abs(), ($0.seeds - 600).sign(), perhaps)
                }.fetchOne(db))
            #expect(values == (500, 100, -1, 500))
        }
    }

    @Test(.proves("TEX-015"))
    func `texts are compared by collations`() throws {
        #expect(sql(Member.self) { $0.name.collate(.nocase) } == "`name` COLLATE `NOCASE`")
        #expect(sql(Member.self) { $0.name.collate(.binary) } == "`name` COLLATE `BINARY`")
        #expect(sql(Member.self) { $0.name.collate(.rtrim) } == "`name` COLLATE `RTRIM`")
        #expect(sql(Member.self) { $0.email.collate(Collation(rawValue: "by \"x\"")) }
            == "`email` COLLATE `by ``x```")
        let byLength = DatabaseCollation("by length") { first, second in
            first.count == second.count ? .orderedSame
                : first.count < second.count ? .orderedAscending : .orderedDescending
        }
        try library.queue.write { (db) throws in
            db.add(collation: byLength)
            let names = Member.where { $0.id < 5 }.order { $0.name.collate(byLength) }
            #expect(try names.select(\.id).fetchAll(db) == [3, 2, 1, 4])
            #expect(names.text.hasSuffix("ORDER BY `members`.`name` COLLATE `by length`"))
            let same = Member.where { $0.name.collate(.nocase).eq("ADA LINDQVIST") }
            #expect(try same.select(\.id).fetchSet(db) == [1, 8])
        }
    }

    @Test(.proves("TEX-020"))
    func `values are cast to what the target stores`() throws {
        #expect(sql(Packet.self) { $0.seeds.cast(as: Double.self) } == "CAST(`seeds` AS REAL)")
        #expect(sql(Packet.self) { $0.grams.cast(as: Int.self) } == "CAST(`grams` AS INTEGER)")
        #expect(sql(Packet.self) { $0.seeds.cast(as: String.self) } == "CAST(`seeds` AS TEXT)")
        #expect(sql(Packet.self) { $0.place.shelf.cast(as: [UInt8].self) } == "CAST(`shelf` AS BLOB)")
        #expect(sql(Packet.self) { $0.seeds.cast(as: Habit.self) } == "CAST(`seeds` AS INTEGER)")
        #expect(sql(Packet.self) { $0.place.shelf.cast(as: Role.self) } == "CAST(`shelf` AS TEXT)")
        #expect(sql(Packet.self) { $0.seeds.cast(as: Date.self) } == "CAST(`seeds` AS TEXT)")
        #expect(sql(Packet.self) { $0.seeds.cast(as: Date.UnixTimeRepresentation.self) }
            == "CAST(`seeds` AS INTEGER)")
        #expect(sql(Member.self) { $0.address.cast(as: [String].JSONRepresentation.self) }
            == "CAST(`address` AS TEXT)")
        #expect(sql(Loan.self) { $0.ticket.cast(as: UUID.BytesRepresentation.self) }
            == "CAST(`ticket` AS BLOB)")
        let text: SQLQueryExpression<String> = Packet.columns.seeds.cast()
        let perhaps: SQLQueryExpression<String?> = Packet.columns.grams.cast()
        try library.queue.read { (db) throws in
            #expect(try Packet.find(2).select { _ in text }.fetchOne(db) == "0")
            #expect(try Packet.find(2).select { _ in perhaps }.fetchAll(db) == [nil])
            #expect(try Packet.find(1).select { _ in perhaps }.fetchAll(db) == ["0.5"])
        }
    }

    @Test(.proves("TEX-022"))
    func `rows and values are counted`() throws {
        #expect(sql(Packet.self) { $0.harvestYear.count() } == "count(`harvestYear`)")
        #expect(
            sql(Packet.self) { $0.harvestYear.count(distinct: true) } == "count(DISTINCT `harvestYear`)")
        #expect(
            sql(Packet.self) { $0.harvestYear.count(filter: $0.seeds > 1) }
                == "count(`harvestYear`) FILTER (WHERE `seeds` > 1)")
        #expect(sql(Packet.self) { $0.count() } == "count(`id`)")
        #expect(Packet.all.count().text == "SELECT count(*) FROM `packets`")
        #expect(sql(Trial.self) { $0.count() } == "count(*)")
        #expect(sql(VarietyTrait.self) { $0.count() } == "count(*)")
        let outer = Variety.leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }
            .leftJoin(VarietyTrait.all) { v, _, t in v.id.eq(t.varietyID) }
            .group { v, _, _ in v.name }.order { v, _, _ in v.name }.limit(2)
            .select { v, t, vt in (v.name, t.count(), vt.count()) }
        #expect(outer.text.contains("count(`trials`.`varietyID`), count(`varietiesTraits`.`varietyID`)"))
        let counts = try library.queue.read { try outer.fetchAll($0) }
        #expect(counts[0] == ("Aji \"Amarillo\"", 0, 1) && counts[1] == ("Black Krim", 2, 2))
    }

    @Test(.proves("TEX-023"))
    func `values are put together`() throws {
        #expect(sql(Packet.self) { $0.seeds.sum() } == "sum(`seeds`)")
        #expect(
            sql(Packet.self) { $0.seeds.sum(distinct: true, filter: $0.id > 1) }
                == "sum(DISTINCT `seeds`) FILTER (WHERE `id` > 1)")
        for (name, text) in [
            ("total", sql(Packet.self) { $0.seeds.total(distinct: true, filter: $0.id > 1) }),
            ("avg", sql(Packet.self) { $0.seeds.avg(distinct: true, filter: $0.id > 1) }),
            ("min", sql(Packet.self) { $0.seeds.min(distinct: true, filter: $0.id > 1) }),
            ("max", sql(Packet.self) { $0.seeds.max(distinct: true, filter: $0.id > 1) }),
        ] {
            #expect(text == "\(name)(DISTINCT `seeds`) FILTER (WHERE `id` > 1)")
        }
        #expect(sql(Packet.self) { ($0.seeds * 2).sum() } == "sum(`seeds` * 2)")
        try library.queue.read { (db) throws in
            let none = Packet.where { $0.id < 0 }.select {
                ($0.seeds.sum(), $0.seeds.total(), $0.seeds.avg(), $0.seeds.min(), $0.grams.max())
            }
            let values: (Int?, Double, Double?, Int?, Double?) = try #require(try none.fetchOne(db))
            #expect(values == (nil, 0, nil, nil, nil))
            let some = Packet.select {
                (($0.seeds * 2).sum(), $0.seeds.sum(distinct: true), $0.place.shelf.max())
            }
            #expect(try #require(try some.fetchOne(db)) == (4140, 2040, "C"))
        }
    }

    @Test(.proves("TEX-024"))
    func `texts are put together`() throws {
        #expect(sql(Member.self) { $0.name.groupConcat() } == "group_concat(`name`)")
        #expect(sql(Member.self) { $0.name.groupConcat("; ") } == "group_concat(`name`, '; ')")
        #expect(
            sql(Member.self) { $0.name.groupConcat(", ", order: $0.name.desc()) }
                == "group_concat(`name`, ', ' ORDER BY `name` DESC)")
        #expect(
            sql(Member.self) { $0.name.groupConcat(order: $0.id, filter: $0.id > 1) }
                == "group_concat(`name` ORDER BY `id`) FILTER (WHERE `id` > 1)")
        #expect(
            sql(Member.self) { $0.name.groupConcat(distinct: true, filter: $0.id > 1) }
                == "group_concat(DISTINCT `name`) FILTER (WHERE `id` > 1)")
        try library.queue.read { (db) throws in
            let names: [String?] = try Member.where { $0.role.eq(.steward) }
                .select { $0.name.groupConcat("|", order: $0.id.desc(), filter: $0.id > 0) }
                .fetchAll(db)
            #expect(names == ["Dörte \"Dee\" Maß|Ada Lindqvist"])
            let none = Member.where { $0.id < 0 }.select { $0.email.groupConcat() }
            #expect(try none.fetchOne(db) == .some(nil))
        }
    }
}
