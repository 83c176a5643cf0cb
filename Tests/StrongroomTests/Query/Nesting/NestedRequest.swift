import Strongroom

/// A way to nest a request, or an association, in another, or to go on with one.
enum NestedRequest: String, CaseIterable, Codable, Sendable {
    case filter, filterLater, reversed, stable, annotated, annotatedLater, definition
    case joined, annotatedWithJoined, prefetched, through, firstOfMany, existsThrough
    case aggregate, aggregates, union, unionOnTheRight, unionOfOrdered

    /// Fetches by a request with so many levels.
    func fetch(_ db: Database, depth: Int) throws {
        switch self {
        case .union, .unionOnTheRight, .unionOfOrdered:
            let request = compound(depth: depth)
            _ = try request.fetchAll(db)
            _ = try request.fetchCount(db)
        default:
            let request = request(depth: depth)
            _ = try Row.fetchAll(db, request)
            _ = try request.fetchCount(db)
        }
    }

    private func request(depth: Int) -> QueryInterfaceRequest<Knot> {
        switch self {
        case .joined, .annotatedWithJoined: return joined(depth)
        case .prefetched: return prefetched(depth)
        case .through, .firstOfMany, .existsThrough: return through(depth)
        case .aggregate, .aggregates: return aggregated(depth)
        default:
            let isComputed = [.reversed, .annotated].contains(self)
            var request = isComputed ? Knot.all().withStableOrder() : Knot.all()
            if self == .annotated { request = request.annotatedWhenConnected { _ in [] } }
            for level in 0..<depth { request = around(request, level) }
            return request
        }
    }

    private func around(
        _ inner: QueryInterfaceRequest<Knot>, _ level: Int
    ) -> QueryInterfaceRequest<Knot> {
        switch self {
        case .filter: inner.filter { $0.name != "\(level)" }
        case .filterLater: inner.filterWhenConnected { _ in Knot.Columns.name != nil }
        case .reversed: inner.reversed()
        case .stable: inner.withStableOrder()
        case .annotated: inner.annotated(with: Knot.Columns.name)
        case .annotatedLater: inner.annotatedWhenConnected { _ in [Knot.Columns.name] }
        default:
            Knot.all().with(CommonTableExpression<Knot>(named: "inner", request: inner))
        }
    }

    private func joined(_ depth: Int) -> QueryInterfaceRequest<Knot> {
        var association = Knot.parent
        for _ in 0..<depth {
            association =
                self == .joined
                ? Knot.parent.including(optional: association)
                : Knot.parent.annotated(withOptional: association)
        }
        return Knot.including(optional: association)
    }

    private func prefetched(_ depth: Int) -> QueryInterfaceRequest<Knot> {
        var association = Knot.children
        for _ in 0..<depth { association = Knot.children.including(all: association) }
        return Knot.including(all: association)
    }

    private func through(_ depth: Int) -> QueryInterfaceRequest<Knot> {
        let first = Knot.hasMany(Knot.self, through: Knot.children, using: Knot.children)
        var association = first
        for _ in 0..<depth {
            association =
                self == .firstOfMany
                ? Knot.hasMany(Knot.self, through: association.first, using: Knot.children)
                : Knot.hasMany(Knot.self, through: association, using: Knot.children)
        }
        return self == .existsThrough
            ? Knot.filter(association.exists) : Knot.including(all: association)
    }

    private func aggregated(_ depth: Int) -> QueryInterfaceRequest<Knot> {
        var aggregate = Knot.children.count
        for _ in 0..<depth {
            aggregate = self == .aggregate ? aggregate + 1 : Knot.children.count + aggregate
        }
        return Knot.annotated(with: aggregate)
    }

    private func compound(depth: Int) -> CompoundRequest<Knot> {
        let knots = Knot.filter { $0.id > 1 }
        var request = knots.unionAll(knots)
        for _ in 0..<depth {
            request =
                switch self {
                case .union: request.union(knots)
                case .unionOnTheRight: knots.union(request)
                default: request.order(Column("id")).limit(10).union(knots)
                }
        }
        return request
    }
}
