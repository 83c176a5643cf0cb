import Strongroom
import StrongroomTestSupport
import Testing

@Suite("Constants in ORDER BY and GROUP BY") struct ConstantTermTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue
    private let player = Table("player")
    private let id = Column("id")

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, name TEXT, captainId INT REFERENCES player);
                    INSERT INTO player VALUES (1, 'b', NULL), (2, 'a', 1), (3, 'c', 1);
                    """)
        }
    }

    @Test("A constant inside of a condition is not taken for a column", .proves("CMP-94"))
    func constantsInside() throws {
        let none = [Int]().contains(id)
        let one = id == 1
        let both = SQLExpression.AssociativeBinaryOperator.and
        let constants: [(SQLExpression, isConstant: Bool)] = [
            (none && one, true), (one && none, true), (!(none && one), true),
            (none && none, true), ((none && one) && one, true), ((none || one) && none, true),
            ((none && one).collating(.nocase), true), (-(none && one), true),
            ([one, none, one].joined(operator: both), true), (none || one, false),
            (!none && one, false), (!(none || one), false), ((none && one) || one, false),
            (none.collating(.nocase) && one, true), (-none && one, true),
        ]
        let captain = player.belongsTo(player, key: "captain")
        try queue.read { db in
            for (constant, isConstant) in constants {
                for ordering in [constant.desc, constant.asc, constant.descNullsFirst] {
                    let request = player.order(ordering, id.desc)
                    let ids = try Row.fetchAll(db, request).map { $0["id"] as Int }
                    #expect(isConstant ? ids == [3, 2, 1] : ids.sorted() == [1, 2, 3])
                    let joined = player.joining(optional: captain.order(ordering))
                    #expect(try Row.fetchAll(db, joined).count == 3)
                }
                let groups = player.select(count(id)).group(constant)
                #expect(try Int.fetchAll(db, groups).reduce(0, +) == 3)
                #expect(try Int.fetchAll(db, groups).count == (isConstant ? 1 : 2))
            }
        }
    }

    @Test("What is the same for all rows neither orders nor parts them", .proves("CMP-62"))
    func constants() throws {
        let empty = [Int]()
        let captain = player.belongsTo(player, key: "captain")
        let constants: [SQLExpression] = [
            empty.contains(id), !empty.contains(id), -empty.contains(id),
            empty.contains(id).collating(.nocase), [SQLExpression]().joined(operator: .multiply),
        ]
        try queue.read { db in
            for constant in constants {
                let requests = [
                    player.order(constant.desc, id.desc), player.order(constant, id.desc),
                    player.order(constant.ascNullsLast, id.desc),
                    player.order(constant.desc, id.desc)
                        .joining(optional: captain.order(constant)),
                ]
                for request in requests {
                    let ids = try Row.fetchAll(db, request).map { $0["id"] as Int }
                    #expect(ids == [3, 2, 1])
                }
                let groups = player.select(count(id)).group(constant)
                #expect(try Int.fetchAll(db, groups) == [3])
                let parts = player.select(count(id)).group(constant, Column("captainId"))
                #expect(try Set(Int.fetchAll(db, parts)) == [1, 2])
            }
        }
    }
}
