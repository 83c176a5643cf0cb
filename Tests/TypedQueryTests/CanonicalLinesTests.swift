import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Packet.TableColumns, Member.TableColumns, Loan.TableColumns, Variety.TableColumns,
    OpenName.TableColumns, Odd.TableColumns
)

/// A table whose names have quotes.
@Table("odd \"table\"") struct Odd {
    @Column("the \"id\"", primaryKey: true) let id: Int
}

@Suite struct CanonicalLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    /// A statement with all clauses.
    private var everything: some StrongroomTables.Statement<(String, Int?)> {
        With {
            Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) }
        } query: {
            Member.leftJoin(Loan.where { $0.seeds > 1 }) { $0.id.eq($1.memberID) }
                .join(OpenName.all) { _, _, name in name.name.neq("it's  a, b") }
                .where { m, _, _ in m.points >= 0 }
                .distinct()
                .group { m, _, _ in m.id }
                .having { _, l, _ in l.count() > 0 }
                .window(\.w) { m, _, _ in .order(m.id) }
                .order { m, _, _ in m.name.desc() }
                .limit(4).offset(1)
                .select { m, l, _ in (m.name, l.seeds.sum()) }
        }
    }

    @Test(.proves("CAN-002"))
    func `SQL has one form`() throws {
        #expect(Odd.all.debugSQL == #"SELECT "odd ""table"""."the ""id""" FROM "odd ""table""""#)
        #expect(sql(Member.self) { $0.name.length() } == "length(`name`)")
        #expect(
            sql(Member.self) { AggregateFunctionExpression<Int>("count", $0.name) }
                == "`count`(`name`)")
        let statements = [
            everything.debugSQL, Member.find(1).update { $0.name = "a  b" }.debugSQL,
            Member.delete().returning(\.id).debugSQL,
            Loan.insert {
                Loan(id: 1, packetID: 1, memberID: 1, ticket: UUID(), seeds: 1, takenAt: .now)
            }
            .debugSQL,
            Packet.select { Case().when($0.seeds > 1, then: 1).else(2) }.debugSQL,
        ]
        for statement in statements {
            let words = statement.withoutQuotes
            #expect(!words.contains("  ") && !words.contains(" ,") && !words.contains("( "))
            #expect(words.count(of: ",") == words.count(of: ", "), "\(words)")
            for word in words.matches(of: /[A-Za-z_]+\(?/) where !word.output.hasSuffix("(") {
                #expect(String(word.output) == word.output.uppercased(), "\(words)")
            }
        }
    }

    @Test(.proves("CAN-004"))
    func `operands stand bare or in parentheses`() throws {
        #expect(sql(Packet.self) { ($0.seeds + 1) * 2 } == "(`seeds` + 1) * 2")
        #expect(sql(Member.self) { $0.name.length() > 3 } == "length(`name`) > 3")
        #expect(
            sql(Member.self) { $0.name.collate(.nocase).eq("x") }
                == "(`name` COLLATE `NOCASE`) = 'x'")
        let new = Member.TableColumns(TableReference("new"), "")
        #expect("\((new.points + 1).queryFragment)" == #""new"."points" + 1"#)
        #expect(
            sql(Packet.self) { $0.seeds.sum(filter: $0.seeds > 1) > 3 }
                == "sum(`seeds`) FILTER (WHERE `seeds` > 1) > 3")
        #expect(
            sql(Packet.self) { $0.seeds.sum().over(.order($0.id)) > 3 }
                == "sum(`seeds`) OVER (ORDER BY `id`) > 3")
        #expect(
            sql(Packet.self) { $0.grams.cast(as: Int.self) + 1 } == "CAST(`grams` AS INTEGER) + 1")
        #expect(
            sql(Packet.self) { Case().when($0.seeds > 1, then: 1).else(2) + 3 }
                == "CASE WHEN `seeds` > 1 THEN 1 ELSE 2 END + 3")
        #expect(
            sql(Packet.self) { _ in Loan.all.exists().eq(true) }
                == "EXISTS (SELECT 1 FROM `loans`) = 1")
        #expect(
            sql(Packet.self) { $0.place.eq(Place(shelf: "B", box: 2)) }
                == "(`shelf`, `box`) = ('B', 2)")
        #expect(
            sql(Packet.self) { $0.seeds + Loan.count() }
                == "`seeds` + (SELECT count(*) FROM `loans`)")
        #expect(
            sql(Packet.self) { #sql("\($0.seeds) + 1", as: Int.self) * 2 } == "(`seeds` + 1) * 2")
        #expect(sql(Packet.self) { $0.seeds - -5 } == "`seeds` - -5")
        #expect(sql(Packet.self) { _ in -(#bind(-5, as: Int.self)) } == "-(-5)")
        #expect(
            sql(Member.self) { $0.name.substr($0.points + 1) } == "substr(`name`, `points` + 1)")
        let terms = Packet.group { $0.seeds + 1 }.order { $0.seeds + 1 }.select { $0.seeds + 1 }
        #expect(
            terms.text
                == """
                SELECT `packets`.`seeds` + 1 FROM `packets` GROUP BY `packets`.`seeds` + 1 \
                ORDER BY `packets`.`seeds` + 1
                """)
        #expect(
            Packet.update { $0.seeds = $0.seeds + 1 }.text
                == "UPDATE `packets` SET `seeds` = `packets`.`seeds` + 1")
        let elements = Variety.find(V.fish).select {
            $0.aliases.jsonEach().where { $0.key + 1 > 2 }.count()
        }
        #expect(elements.text.contains("(`json_each`.`key` + 1) > 2"))
    }

    @Test(.proves("CAN-007"))
    func `clauses have one order`() throws {
        let sql = everything.debugSQL
        let clauses = [
            "WITH ", "SELECT DISTINCT ", " FROM \"members\"", " LEFT JOIN ", " JOIN \"openNames\"",
            " WHERE \"members\"", " GROUP BY ", " HAVING ", " WINDOW ",
            " ORDER BY \"members\".\"name\"",
            " LIMIT ", " OFFSET ",
        ]
        let places = clauses.map { sql.range(of: $0, options: .backwards)?.lowerBound }
        #expect(!places.contains(nil), "\(sql)")
        // The first SELECT is that of WITH.
        let known = places.compactMap { $0 }
        #expect(known == known.sorted(), "\(sql)")
        #expect(try library.queue.read { try everything.fetchAll($0) }.count == 4)
    }

    @Test(.proves("CAN-008"))
    func `a condition that is there already is not added`() throws {
        let many = Packet.where { $0.seeds > 5 }
        try library.check(
            many.where { $0.place.box.eq(1) }.where { $0.seeds > 5 }.where { $0.seeds > 6 }.select(
                \.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`seeds` > 5 AND \
            `packets`.`box` = 1 AND `packets`.`seeds` > 6
            """)
        #expect(
            Packet.group(by: \.place.box).having { $0.seeds.sum() > 1 }.having {
                $0.seeds.sum() > 1
            }
            .select(\.place.box).text.hasSuffix(" HAVING sum(`packets`.`seeds`) > 1"))
        let joined = Packet.leftJoin(Loan.where { $0.seeds > 1 }.where { $0.seeds > 1 }) {
            $0.id.eq($1.packetID)
            $1.seeds > 1
        }
        #expect(
            joined.text.hasSuffix(
                " ON `packets`.`id` = `loans`.`packetID` AND `loans`.`seeds` > 1"))
        // What may have another value each time is kept.
        let random = Packet.where { _ in #sql("random() > 0", as: Bool.self) }
        #expect(
            random.where { _ in #sql("random() > 0", as: Bool.self) }.text
                .hasSuffix(" WHERE (random() > 0) AND (random() > 0)"))
        let custom = Packet.where { #sql("\(quote: "f")(\($0.id))", as: Bool.self) }
        #expect(
            custom.where { #sql("\(quote: "f")(\($0.id))", as: Bool.self) }.text
                .hasSuffix(" WHERE (`f`(`packets`.`id`)) AND (`f`(`packets`.`id`))"))
        let length = Packet.where { $0.place.shelf.length() > 1 }
        #expect(
            length.where { $0.place.shelf.length() > 1 }.text
                .hasSuffix(" WHERE length(`packets`.`shelf`) > 1"))
    }
}

extension String {
    /// The text with nothing between quotes.
    fileprivate var withoutQuotes: String {
        replacing(/"[^"]*"|'[^']*'/, with: "0")
    }

    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
