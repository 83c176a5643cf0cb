import Strongroom
import StrongroomTestSupport

/// A request of random parts, and the query by hand that must give the same rows.
struct RandomRequest {
    private(set) var request: QueryInterfaceRequest<Row>
    private var random: RandomSQL
    private let base: RandomSQL.Scope

    // The parts of the query by hand.
    private var definitions = ""
    private var selection: [String]
    private var isDistinct = false
    private var tables: String
    private var filters: [String] = []
    private var rest = ""
    private(set) var isOrdered = false

    private var scopes: [RandomSQL.Scope]
    private var hasPivot = false

    init(seed: UInt64) {
        random = RandomSQL(seed: seed)
        base = random.scope(random.pick(LibraryTable.all.prefix(3)))
        scopes = [base]
        request = Table(base.table.name).all()
        selection = ["\(base.name).*"]
        tables = "\(base.table.name) \(base.name)"
        if let alias = base.alias { request = request.aliased(alias) }
        if random.comes(oneIn: 6) { addDefinition() }
        switch Int.random(in: 0...7, using: &random.generator) {
        case 0: makeGroups()
        case 1: makeAggregates()
        case 2: makeWindows()
        case 3: makeFirstOfMany()
        default: makePlain()
        }
    }

    /// The query by hand.
    var hand: String {
        definitions + "SELECT " + (isDistinct ? "DISTINCT " : "")
            + selection.joined(separator: ", ") + " FROM \(tables)"
            + (filters.isEmpty ? "" : " WHERE " + filters.joined(separator: " AND ")) + rest
    }

    /// The query by hand for the keys of the rows.
    var handKeys: String {
        "SELECT \(base.name).\(base.table.key) FROM \(tables)"
            + (filters.isEmpty ? "" : " WHERE " + filters.joined(separator: " AND ")) + rest
    }

    var baseTable: LibraryTable { base.table }

    /// A request whose rows are changed: with filters, joins, and maybe an order and a limit.
    static func ofChanges(seed: UInt64) -> RandomRequest {
        var request = RandomRequest(changesOf: seed)
        request.addFilters()
        return request
    }

    private init(changesOf seed: UInt64) {
        random = RandomSQL(seed: seed)
        base = random.scope(LibraryTable.all[0])
        scopes = [base]
        selection = []
        tables = "\(base.table.name) \(base.name)"
        request = Table(base.table.name).all()
        if let alias = base.alias { request = request.aliased(alias) }
        if random.comes(oneIn: 3) { addJoin() }
        if random.comes(oneIn: 3) { addOrder(andLimit: true, of: [base]) }
    }
}

// MARK: - Shapes

extension RandomRequest {
    private mutating func makePlain() {
        for _ in 0..<random.pick([0, 0, 1, 2]) { addJoin() }
        addFilters()
        if random.comes(oneIn: 3) {
            let value = random.number(scopes)
            request = request.annotated(with: value.swift.forKey("extra"))
            selection.insert("\(value.hand) AS extra", at: 1)
        }
        if random.comes(oneIn: 4) {
            request = request.distinct()
            isDistinct = true
        } else if random.comes(oneIn: 2) {
            addOrder(andLimit: random.comes(oneIn: 2), of: scopes)
        }
    }

    /// Adds the ranks of rows, and what is around them.
    private mutating func makeWindows() {
        if random.comes(oneIn: 3) { addJoin(isIncluded: false) }
        addFilters()
        let key = random.comes(oneIn: 2) ? random.text([base]) : random.number([base], depth: 1)
        let value = random.number(scopes, depth: 1)
        let order = scopes.map { $0.twin($0.table.key) }
        let orders = ([value] + order).map(\.hand).joined(separator: ", ")
        var window = SQLWindow.partition(by: key.swift)
        window =
            order.count == 1
            ? window.order(value.swift, order[0].swift)
            : window.order(value.swift, order[0].swift, order[1].swift)
        request = request.select(
            base.twin(base.table.key).swift, rowNumber().over(window),
            max(value.swift).over(window.rows(from: .preceding(2), to: .following(1))),
            count(value.swift).over(.partition(by: key.swift)))
        let partition = "PARTITION BY \(key.hand)"
        selection = [
            "\(base.name).\(base.table.key)",
            "row_number() OVER (\(partition) ORDER BY \(orders))",
            """
            max(\(value.hand)) OVER (\(partition) ORDER BY \(orders)
            ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)
            """,
            "count(\(value.hand)) OVER (\(partition))",
        ]
    }

    /// Joins the first of associated rows, which the query by hand numbers.
    private mutating func makeFirstOfMany() {
        addFilters()
        let links = base.table.links.filter { $0.isToMany && $0.pivot == nil }
        guard !links.isEmpty else { return }
        let link = random.pick(links)
        guard let association = link.association as? HasManyAssociation<Row, Row> else { return }
        let child = random.scope(.named(link.destination), isAliased: false)
        let filter = random.condition([child], depth: 0)
        let value = child.twin(random.pick(child.table.numbers))
        let key = child.twin(child.table.key)
        let isLast = random.comes(oneIn: 2)
        let ordered = association.filter(filter.swift).order(value.swift)
        request = request.including(optional: isLast ? ordered.last : ordered.first)
        let joined = random.newName()
        let direction = isLast ? "DESC" : "ASC"
        let columns = [
            child.name, child.table.name, link.columns.destination, value.hand, key.hand,
        ]
        tables += """
             LEFT JOIN (SELECT \(columns[0]).*, row_number() OVER (PARTITION BY \(columns[2])
            ORDER BY \(columns[3]) \(direction), \(columns[4]) \(direction)) AS number
            FROM \(columns[1]) \(columns[0]) WHERE \(filter.hand)) \(joined)
            ON number = 1 AND \(joined).\(columns[2]) = \(base.name).\(link.columns.origin)
            """
        let names = LibraryTable.columns[child.table.name] ?? []
        selection += names.map { "\(joined).\($0)" }
    }

    private mutating func makeGroups() {
        if random.comes(oneIn: 3) { addJoin(isIncluded: false) }
        addFilters()
        let key = random.comes(oneIn: 2) ? random.text([base]) : random.number([base], depth: 1)
        let number = random.number(scopes, depth: 1)
        let filter = random.condition([base], depth: 0)
        request = request.select(
            key.swift, count(.allColumns), count(distinct: number.swift), min(number.swift),
            max(number.swift, filter: filter.swift)
        ).group(key.swift)
        selection = [
            key.hand, "count(*)", "count(DISTINCT \(number.hand))", "min(\(number.hand))",
            "max(\(number.hand)) FILTER (WHERE \(filter.hand))",
        ]
        rest = " GROUP BY \(key.hand)"
        if random.comes(oneIn: 2) {
            request = request.having(count(.allColumns) > 2)
            rest += " HAVING count(*) > 2"
        }
        if random.comes(oneIn: 2) {
            request = request.order(count(.allColumns).desc, key.swift).limit(4)
            rest += " ORDER BY count(*) DESC, \(key.hand) LIMIT 4"
            isOrdered = true
        }
    }

    /// Adds numbers of associated rows, which the query by hand counts one by one.
    private mutating func makeAggregates() {
        addFilters()
        let links = base.table.links.filter { $0.isToMany && $0.pivot == nil }
        guard !links.isEmpty else { return }
        let link = random.pick(links)
        let child = random.scope(.named(link.destination), isAliased: false)
        let filter = random.condition([child], depth: 0)
        let value = child.twin(random.pick(child.table.numbers))
        guard let association = link.association as? HasManyAssociation<Row, Row> else { return }
        let kept = association.filter(filter.swift).forKey("kept")
        let rows = """
            FROM \(child.table.name) \(child.name) WHERE \(filter.hand)
            AND \(child.name).\(link.columns.destination) = \(base.name).\(link.columns.origin)
            """
        let column = Column(value.hand.split(separator: ".").last.map(String.init) ?? "")
        request = request.annotated(with: kept.count, kept.max(column))
        selection += ["(SELECT count(*) \(rows))", "(SELECT max(\(value.hand)) \(rows))"]
        if random.comes(oneIn: 2) {
            request = request.having(kept.count >= 2 || kept.min(column) == nil)
            filters.append(
                "((SELECT count(*) \(rows)) >= 2 OR (SELECT min(\(value.hand)) \(rows)) IS NULL)")
        }
    }
}

// MARK: - Parts

extension RandomRequest {
    private mutating func addFilters() {
        for _ in 0..<random.pick([0, 1, 1, 2]) {
            let filter = random.condition(scopes)
            request = request.filter(filter.swift)
            filters.append(filter.hand)
        }
    }

    /// Orders the rows so that nothing is left open.
    private mutating func addOrder(andLimit: Bool, of scopes: [RandomSQL.Scope]) {
        let first = random.comes(oneIn: 2) ? random.number(scopes) : random.text(scopes)
        let last = scopes.map { $0.twin($0.table.key) }
        let ordering: SQLOrdering
        switch Int.random(in: 0...3, using: &random.generator) {
        case 0: (ordering, rest) = (first.swift.sqlOrdering, " ORDER BY \(first.hand)")
        case 1: (ordering, rest) = (first.swift.desc, " ORDER BY \(first.hand) DESC")
        case 2:
            (ordering, rest) = (first.swift.ascNullsLast, " ORDER BY \(first.hand) NULLS LAST")
        default:
            ordering = first.swift.descNullsFirst
            rest = " ORDER BY \(first.hand) DESC NULLS FIRST"
        }
        isOrdered = true
        var orderings: [any SQLOrderingTerm] = [ordering]
        orderings += last.map(\.swift) as [any SQLOrderingTerm]
        request = request.order(orderings)
        rest += last.map { ", \($0.hand)" }.joined()
        guard andLimit else { return }
        let offset: Int? = random.pick([nil, 0, 2])
        request = request.limit(5, offset: offset)
        rest += " LIMIT 5" + (offset.map { " OFFSET \($0)" } ?? "")
    }

    private mutating func addJoin(isIncluded: Bool? = nil) {
        let isIncluded = isIncluded ?? random.comes(oneIn: 2)
        let isRequired = random.comes(oneIn: 2)
        // Two associations over the same table between share it, as those of one key do.
        let links = base.table.links.filter { $0.pivot == nil || !hasPivot }
        let link = random.pick(links)
        hasPivot = hasPivot || link.pivot != nil
        let pivotName = link.pivot.map { _ in random.newName() }
        let joined = random.scope(.named(link.destination))
        let filter = random.comes(oneIn: 2) ? random.condition([joined], depth: 1) : nil
        let keyword = isRequired ? "JOIN" : "LEFT JOIN"
        var origin = base.name
        if let pivot = link.pivot, let pivotName {
            tables += """
                 \(keyword) \(pivot.table) \(pivotName)
                ON \(pivotName).\(pivot.columns.destination) = \(origin).\(pivot.columns.origin)
                """
            origin = pivotName
        }
        tables += """
             \(keyword) \(joined.table.name) \(joined.name)
            ON \(joined.name).\(link.columns.destination) = \(origin).\(link.columns.origin)
            """
        if let filter { tables += " AND \(filter.hand)" }
        func join(_ association: some Association<Row, Row>) {
            // A key of its own keeps it apart from other joins of the same table.
            var association = association.forKey("joined_\(joined.name)")
            if let alias = joined.alias { association = association.aliased(alias) }
            if let filter { association = association.filter(filter.swift) }
            request =
                switch (isIncluded, isRequired) {
                case (true, true): request.including(required: association)
                case (true, false): request.including(optional: association)
                case (false, true): request.joining(required: association)
                case (false, false): request.joining(optional: association)
                }
        }
        join(link.association)
        if isIncluded { selection.append("\(joined.name).*") }
        scopes.append(joined)
    }

    /// Puts a query of the same columns in the place of the table.
    private mutating func addDefinition() {
        let inner = random.scope(base.table, isAliased: false)
        let filter = random.condition([inner], depth: 1)
        let table = CommonTableExpression<Row>(
            named: "some", request: Table(inner.table.name).filter(filter.swift))
        definitions = """
            WITH some AS (SELECT * FROM \(inner.table.name) \(inner.name) WHERE \(filter.hand)) 
            """
        let key = base.twin(base.table.key)
        request = request.with(table)
            .filter(table.all().select(Column(base.table.key)).contains(key.swift))
        filters.append("(\(key.hand) IN (SELECT \(base.table.key) FROM some))")
    }
}
