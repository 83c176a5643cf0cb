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
            sql(Loan.self) { $0.takenAt > day("2025-06-01") }
                == "`takenAt` > '2025-06-01 00:00:00.000'")
        #expect(
            sql(Packet.self) { $0.place < Place(shelf: "B", box: 2) }
                == "(`shelf`, `box`) < ('B', 2)")
        #expect(try ids(Packet.where { $0.place < Place(shelf: "A", box: 3) }) == [1, 2, 3])
    }

    @Test(.proves("TEX-006"))
    func `plain values are bound as the column stores them`() throws {
        #expect(sql(Variety.self) { $0.habit.eq(.perennial) } == "`habit` = 3")
        #expect(sql(Member.self) { $0.joined > day("2022-06-01") } == "`joined` > 2459731.5")
        #expect(
            sql(Packet.self) { $0.germination.testedAt.in([day("1970-01-02")]) }
                == "`testedAt` = 86400")
        #expect(
            sql(Loan.self) { $0.ticket.in([ticket(1), ticket(2)]) }
                == """
                `ticket` IN (X'00000000000040008000000000000001', \
                X'00000000000040008000000000000002')
                """)
        #expect(
            sql(Loan.self) { $0.ticket.between(ticket(1), and: ticket(2)) }.hasPrefix(
                "`ticket` BETWEEN X'"))
        #expect(sql(Loan.self) { $0.ticket.isNot(ticket(1)) }.hasPrefix("`ticket` IS NOT X'"))
        #expect(
            sql(Variety.self) { $0.aliases.eq(["a"]) }
                == "`aliases` = '[\"a\"]'".replacing("\"", with: "`"))
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
        #expect(
            blobs.query.prepare { _ in "?" }.sql
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
        #expect(
            "\(rounded.queryFragment) \(root.queryFragment)"
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
        #expect(
            sql(Member.self) { $0.email.collate(Collation(rawValue: "by \"x\"")) }
                == "`email` COLLATE `by ``x```")
        let byLength = DatabaseCollation("by length") { first, second in
            first.count == second.count
                ? .orderedSame
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
        #expect(
            sql(Packet.self) { $0.place.shelf.cast(as: [UInt8].self) } == "CAST(`shelf` AS BLOB)")
        #expect(sql(Packet.self) { $0.seeds.cast(as: Habit.self) } == "CAST(`seeds` AS INTEGER)")
        #expect(sql(Packet.self) { $0.place.shelf.cast(as: Role.self) } == "CAST(`shelf` AS TEXT)")
        #expect(sql(Packet.self) { $0.seeds.cast(as: Date.self) } == "CAST(`seeds` AS TEXT)")
        #expect(
            sql(Packet.self) { $0.seeds.cast(as: Date.UnixTimeRepresentation.self) }
                == "CAST(`seeds` AS INTEGER)")
        #expect(
            sql(Member.self) { $0.address.cast(as: [String].JSONRepresentation.self) }
                == "CAST(`address` AS TEXT)")
        #expect(
            sql(Loan.self) { $0.ticket.cast(as: UUID.BytesRepresentation.self) }
                == "CAST(`ticket` AS BLOB)")
        let text: SQLQueryExpression<String> = Packet.columns.seeds.cast()
        let perhaps: SQLQueryExpression<String?> = Packet.columns.grams.cast()
        try library.queue.read { (db) throws in
            #expect(try Packet.find(2).select { _ in text }.fetchOne(db) == "0")
            #expect(try Packet.find(2).select { _ in perhaps }.fetchAll(db) == [nil])
            #expect(try Packet.find(1).select { _ in perhaps }.fetchAll(db) == ["0.5"])
        }
    }
}
