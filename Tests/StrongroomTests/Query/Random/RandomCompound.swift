import Strongroom
import StrongroomTestSupport

/// Random requests put together, and the query by hand that must give the same rows.
///
/// Numbers are whole ones and text is compared byte by byte: of rows that are equal without being
/// the same, SQLite may keep either.
struct RandomCompound {
    private(set) var request: CompoundRequest<Row>
    private(set) var hand: String
    private(set) var isOrdered = false
    private var random: RandomSQL

    private typealias Operand = (request: QueryInterfaceRequest<Row>, hand: String)

    init(seed: UInt64) {
        random = RandomSQL(seed: seed)
        let first = Self.operand(&random)
        let second = Self.operand(&random)
        (request, hand) = Self.combine(first, second.request, second.hand, &random)
        switch Int.random(in: 0...2, using: &random.generator) {
        case 0:
            let third = Self.operand(&random)
            (request, hand) = Self.combine((request, hand), third.request, third.hand, &random)
        case 1:
            addOrder()
            (request, hand) = Self.combine(Self.operand(&random), request, hand, &random)
        default: break
        }
        isOrdered = random.comes(oneIn: 2)
        if isOrdered { addOrder() }
    }

    /// Orders the rows so that nothing is left open.
    private mutating func addOrder() {
        let columns = ["a", "b", "c"].shuffled(using: &random.generator)
        let isDescending = random.comes(oneIn: 2)
        let first = Column(columns[0])
        request = request.order(
            isDescending ? first.desc : first.asc, Column(columns[1]), Column(columns[2]))
        hand += " ORDER BY \(columns[0]) \(isDescending ? "DESC" : "ASC"), \(columns[1]), "
        hand += columns[2]
        guard random.comes(oneIn: 2) else { return }
        let offset: Int? = random.pick([nil, 0, 3])
        request = request.limit(9, offset: offset)
        hand += " LIMIT 9" + (offset.map { " OFFSET \($0)" } ?? "")
    }

    private static func combine(
        _ first: (request: some CombinableRequest<Row>, hand: String),
        _ second: some CombinableRequest<Row>, _ hand: String, _ random: inout RandomSQL
    ) -> (CompoundRequest<Row>, String) {
        let (request, name) =
            switch Int.random(in: 0...3, using: &random.generator) {
            case 0: (first.request.union(second), "UNION")
            case 1: (first.request.unionAll(second), "UNION ALL")
            case 2: (first.request.intersect(second), "INTERSECT")
            default: (first.request.except(second), "EXCEPT")
            }
        return (request, "SELECT * FROM (\(first.hand)) \(name) SELECT * FROM (\(hand))")
    }

    /// Two numbers and a text of some rows of a table, maybe only the first of these.
    private static func operand(_ random: inout RandomSQL) -> Operand {
        let scope = random.scope(random.pick(LibraryTable.all))
        let filter = random.condition([scope], depth: 1)
        let twins = [
            whole(random.number([scope], depth: 0)), whole(random.number([scope], depth: 1)),
            bytes(random.text([scope], depth: 1)),
        ]
        var request = Table(scope.table.name).filter(filter.swift).select(
            zip(twins, ["a", "b", "c"]).map { $0.swift.forKey($1) })
        if let alias = scope.alias { request = request.aliased(alias) }
        let columns = zip(twins, ["a", "b", "c"]).map { "\($0.hand) AS \($1)" }
        var hand = "SELECT \(columns.joined(separator: ", ")) FROM \(scope.table.name) "
        hand += "\(scope.name) WHERE \(filter.hand)"
        if random.comes(oneIn: 4) {
            request = request.order(twins.map(\.swift))
            hand += " ORDER BY \(twins.map(\.hand).joined(separator: ", "))"
            if random.comes(oneIn: 2) {
                request = request.limit(4)
                hand += " LIMIT 4"
            }
        }
        return (request, hand)
    }

    private static func whole(_ twin: RandomSQL.Twin) -> RandomSQL.Twin {
        RandomSQL.Twin(
            swift: cast(twin.swift, as: .integer), hand: "CAST(\(twin.hand) AS INTEGER)")
    }

    private static func bytes(_ twin: RandomSQL.Twin) -> RandomSQL.Twin {
        RandomSQL.Twin(
            swift: [twin.swift, "".sqlExpression].joined(operator: .concat),
            hand: "(\(twin.hand) || '')")
    }
}
