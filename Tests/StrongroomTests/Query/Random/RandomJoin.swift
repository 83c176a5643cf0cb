import Strongroom
import StrongroomTestSupport

/// A request over a tree of associations, with aliases, annotations and filters of what is joined,
/// and the query by hand that must give the same values.
///
/// The query by hand joins one table after the other, each by the columns of its foreign key.
struct RandomJoin {
    private(set) var request: QueryInterfaceRequest<Row>
    /// Where the values of a row are, in the order of the columns of the query by hand.
    private(set) var fields: [Field] = []
    private(set) var isOrdered = false

    private var random: RandomSQL
    private var selection: [String] = []
    private var tables: String
    private var filters: [String] = []
    private var rest = ""
    /// The tables whose columns the request itself may name.
    private var scopes: [RandomSQL.Scope]
    /// Whether it may name all of them.
    private var namesAll = true

    /// A value of a row that is fetched.
    struct Field {
        let path: [String]
        let column: String

        func value(in row: Row) -> DatabaseValue {
            let row = path.reduce(Optional(row)) { $0?.scopes[$1] }
            return row?[column] ?? .null
        }
    }

    /// What a join of a tree has around it.
    private struct Place {
        var scope: RandomSQL.Scope
        /// The names of the scopes that lead to its row; nil where no columns of it are selected.
        var path: [String]?
        var isOptional = false
        var depth: Int
    }

    init(seed: UInt64) {
        random = RandomSQL(seed: seed)
        let base = random.scope(random.pick(LibraryTable.all))
        scopes = [base]
        tables = "\(base.table.name) \(base.name)"
        var request = Table(base.table.name).all()
        if let alias = base.alias { request = request.aliased(alias) }
        self.request = request
        show(base, path: [])
        self.request = addJoins(to: request, Place(scope: base, path: [], depth: 3))
        addFilters()
        if namesAll, random.comes(oneIn: 2) { addOrder() }
    }

    /// The query by hand.
    var hand: String {
        "SELECT \(selection.joined(separator: ", ")) FROM \(tables)"
            + (filters.isEmpty ? "" : " WHERE " + filters.joined(separator: " AND ")) + rest
    }

    /// The values of a row that was fetched.
    func text(of row: Row) -> String {
        fields.map { "\($0.value(in: row))" }.joined(separator: "|")
    }

    private mutating func show(_ scope: RandomSQL.Scope, path: [String]) {
        for column in [scope.table.key] + scope.table.texts {
            show("\(scope.name).\(column)", column, path: path)
        }
    }

    private mutating func show(_ hand: String, _ column: String, path: [String]) {
        selection.append(hand)
        fields.append(Field(path: path, column: column))
    }
}

// MARK: - Joins

extension RandomJoin {
    private mutating func addJoins<R: DerivableRequest<Row>>(to request: R, _ place: Place) -> R {
        guard place.depth > 0 else { return request }
        var request = request
        var hasPivot = false
        for _ in 0..<random.pick([0, 1, 1, 2]) {
            // Two associations over the same table between share it, as those of one key do.
            let link = random.pick(place.scope.table.links.filter { $0.pivot == nil || !hasPivot })
            hasPivot = hasPivot || link.pivot != nil
            request = addJoin(link.association, by: link, to: request, place)
        }
        return request
    }

    private mutating func addJoin<R: DerivableRequest<Row>>(
        _ association: some Association<Row, Row>, by link: LibraryTable.Link, to request: R,
        _ place: Place
    ) -> R {
        let isRequired = !place.isOptional && random.comes(oneIn: 2)
        let scope = random.scope(.named(link.destination), isAliased: !random.comes(oneIn: 4))
        let key = "joined\(scope.name.dropFirst())x"
        var association = association.forKey(key)
        if let alias = scope.alias {
            association = association.aliased(alias)
            scopes.append(scope)
        } else {
            namesAll = false
        }
        join(scope, by: link, from: place.scope.name, isRequired: isRequired)
        if random.comes(oneIn: 3) {
            let filter = random.condition([scope], depth: 1)
            association = association.filter(filter.swift)
            tables += " AND \(filter.hand)"
        }
        var inside = Place(
            scope: scope, isOptional: !isRequired, depth: place.depth - 1)
        // Columns that are appended to another row have names of their own.
        if let path = place.path, random.comes(oneIn: 4) {
            association = annotate(association, scope, path: path)
            association = addJoins(to: association, inside)
            return isRequired
                ? request.annotated(withRequired: association)
                : request.annotated(withOptional: association)
        }
        if let path = place.path, random.comes(oneIn: 2) {
            inside.path = path + (link.pivot.map { [$0.table] } ?? []) + [key]
            show(scope, path: inside.path ?? [])
            association = addJoins(to: association, inside)
            return isRequired
                ? request.including(required: association)
                : request.including(optional: association)
        }
        association = addJoins(to: association, inside)
        return isRequired
            ? request.joining(required: association) : request.joining(optional: association)
    }

    /// Joins a table in the query by hand.
    private mutating func join(
        _ scope: RandomSQL.Scope, by link: LibraryTable.Link, from origin: String, isRequired: Bool
    ) {
        let keyword = isRequired ? "JOIN" : "LEFT JOIN"
        var origin = origin
        if let pivot = link.pivot {
            let name = random.newName()
            tables += """
                 \(keyword) \(pivot.table) \(name)
                ON \(name).\(pivot.columns.destination) = \(origin).\(pivot.columns.origin)
                """
            origin = name
        }
        tables += """
             \(keyword) \(scope.table.name) \(scope.name)
            ON \(scope.name).\(link.columns.destination) = \(origin).\(link.columns.origin)
            """
    }

    private mutating func annotate<A: Association<Row, Row>>(
        _ association: A, _ scope: RandomSQL.Scope, path: [String]
    ) -> A {
        let values = [random.number([scope], depth: 1), random.text([scope], depth: 1)]
        let names = values.indices.map { "note\(scope.name)_\($0)" }
        for (value, name) in zip(values, names) { show(value.hand, name, path: path) }
        return association.select(zip(values, names).map { $0.swift.forKey($1) })
    }
}

// MARK: - Filters and orders

extension RandomJoin {
    private mutating func addFilters() {
        for _ in 0..<random.pick([0, 1, 2]) {
            let filter = random.condition(scopes, depth: 1)
            request = request.filter(filter.swift)
            filters.append(filter.hand)
        }
    }

    /// Orders the rows by columns of any of the tables, so that nothing is left open.
    private mutating func addOrder() {
        let first = random.comes(oneIn: 2) ? random.number(scopes) : random.text(scopes)
        let keys = scopes.shuffled(using: &random.generator).map { $0.twin($0.table.key) }
        let isDescending = random.comes(oneIn: 2)
        var orderings: [any SQLOrderingTerm] = [isDescending ? first.swift.desc : first.swift.asc]
        orderings += keys.map { $0.swift.asc } as [any SQLOrderingTerm]
        request = request.order(orderings)
        rest = " ORDER BY \(first.hand) \(isDescending ? "DESC" : "ASC")"
        rest += keys.map { ", \($0.hand)" }.joined()
        isOrdered = true
        guard random.comes(oneIn: 3) else { return }
        request = request.limit(7, offset: 1)
        rest += " LIMIT 7 OFFSET 1"
    }
}
