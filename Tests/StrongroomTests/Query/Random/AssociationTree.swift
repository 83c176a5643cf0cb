import Strongroom
import StrongroomTestSupport

/// What a request asks of a table and of those to which associations lead from there.
struct AssociationTree: Sendable {
    let table: String
    /// Rows have at least this number.
    var minimum: Int?
    /// Rows lead somewhere.
    var checks: [Branch] = []
    var branches: [Branch] = []
    var aggregates: [Aggregate] = []
    /// The least number of rows that the first aggregate's association leads to.
    var minimumCount: Int?

    /// An association, and what is asked of the rows that it leads to.
    struct Branch: Sendable {
        let link: ShelfModel.Link
        let kind: Kind
        let tree: AssociationTree

        enum Kind: Sendable, CaseIterable {
            case joiningOptional, includingOptional, joiningRequired, includingRequired
            case includingAll
        }

        var isIncluded: Bool { kind == .includingOptional || kind == .includingRequired }
        var isRequired: Bool { kind == .joiningRequired || kind == .includingRequired }
    }

    struct Aggregate: Sendable {
        let link: ShelfModel.Link
        let function: Function
        let minimum: Int?

        enum Function: Sendable, CaseIterable {
            case count, isEmpty, least, greatest, sum, average
        }
    }

    var joins: [Branch] { branches.filter { $0.kind != .includingAll } }
    var prefetches: [Branch] { branches.filter { $0.kind == .includingAll } }
}

// MARK: - At random

extension AssociationTree {
    /// What a tree may have, by where it is.
    struct Place {
        /// How many associations may follow one another.
        var depth = 3
        /// Behind an optional association there is no required one.
        var isOptional = false
        /// Whether its rows are shown, so that there is a place for what is fetched after them.
        var isShown = true
        /// Whether the rows that are joined to one become one.
        var isInGroup = false
        /// Whether what is joined may be shown: not in a group where it is one of many.
        var mayShowJoined = true
        var mayGroup = true
    }

    init(of table: String, in place: Place = Place(), _ random: inout SeededGenerator) {
        self.table = table
        if random.pick([true, false, false]) { minimum = Int.random(in: 1...4, using: &random) }
        var taken: Set<String> = []
        if place.mayGroup, random.pick([true, false, false]) {
            addAggregates(&taken, &random)
        }
        guard place.depth > 0 else { return }
        for _ in 0..<random.pick([0, 1, 1, 2]) { addBranch(in: place, &taken, &random) }
        guard random.pick([true, false, false, false]) else { return }
        let inside = Place(
            depth: place.depth - 2, isShown: false, mayShowJoined: false, mayGroup: false)
        let link = random.pick(ShelfModel.links(of: table))
        let tree = AssociationTree(of: link.destination, in: inside, &random)
        checks = [Branch(link: link, kind: .joiningRequired, tree: tree)]
    }

    private mutating func addAggregates(
        _ taken: inout Set<String>, _ random: inout SeededGenerator
    ) {
        for _ in 0..<random.pick([1, 1, 2]) {
            let links = ShelfModel.links(of: table).filter {
                $0.isToMany && !taken.contains($0.firstKey)
            }
            guard !links.isEmpty else { return }
            let link = random.pick(links)
            taken.insert(link.firstKey)
            aggregates.append(
                Aggregate(
                    link: link, function: random.pick(Aggregate.Function.allCases),
                    minimum: random.pick([nil, nil, 2])))
        }
        minimumCount = aggregates.isEmpty ? nil : random.pick([nil, 1, 2])
    }

    /// Joins under one key would be one: each has a first table of its own.
    private mutating func addBranch(
        in place: Place, _ taken: inout Set<String>, _ random: inout SeededGenerator
    ) {
        var kinds: [Branch.Kind] = [.joiningOptional]
        if !place.isOptional { kinds.append(.joiningRequired) }
        if place.mayShowJoined {
            kinds += kinds.map { $0 == .joiningOptional ? .includingOptional : .includingRequired }
        }
        if place.isShown { kinds += [.includingAll, .includingAll] }
        let kind = random.pick(kinds)
        let links = ShelfModel.links(of: table).filter { link in
            guard kind == .includingAll else { return !taken.contains(link.firstKey) }
            return link.isToMany && !prefetches.contains { $0.link.destination == link.destination }
        }
        guard !links.isEmpty else { return }
        let link = random.pick(links)
        var inside = Place(depth: place.depth - 1)
        if kind != .includingAll {
            taken.insert(link.firstKey)
            inside.mayGroup = false
            inside.isOptional = kind == .joiningOptional || kind == .includingOptional
            inside.isInGroup = place.isInGroup || !aggregates.isEmpty
            let isOneOfMany = inside.isInGroup && link.isToMany
            inside.mayShowJoined = place.mayShowJoined && !isOneOfMany
            inside.isShown = kind == .includingOptional || kind == .includingRequired
            if isOneOfMany, inside.isShown { return }
        }
        let tree = AssociationTree(of: link.destination, in: inside, &random)
        branches.append(Branch(link: link, kind: kind, tree: tree))
    }
}

// MARK: - As a request

extension AssociationTree {
    /// A request for what is asked.
    func refine<R: DerivableRequest<Row>>(_ request: R) -> R {
        var request = request
        if let minimum { request = request.filter(Column("n") >= minimum) }
        for check in checks { request = request.filter(check.exists) }
        for branch in branches { request = branch.join(to: request) }
        for (index, aggregate) in aggregates.enumerated() {
            request = request.annotated(with: aggregate.value.forKey("a\(index)"))
        }
        if let minimumCount {
            request = request.having(aggregates[0].count >= minimumCount)
        }
        return request
    }
}

extension AssociationTree.Branch {
    fileprivate var exists: SQLExpression {
        func exists(_ association: some Association<Row, Row>) -> SQLExpression {
            tree.refine(association).exists
        }
        return switch link.association {
        case .toOne(let association): exists(association)
        case .toMany(let association): exists(association)
        case .through(let association): exists(association)
        }
    }

    fileprivate func join<R: DerivableRequest<Row>>(to request: R) -> R {
        switch (link.association, kind) {
        case (.toMany(let association), .includingAll):
            request.including(all: tree.refine(association))
        case (.through(let association), .includingAll):
            request.including(all: tree.refine(association))
        case (.toOne(let association), _): join(association, to: request)
        case (.toMany(let association), _): join(association, to: request)
        case (.through(let association), _): join(association, to: request)
        }
    }

    private func join<R: DerivableRequest<Row>>(
        _ association: some Association<Row, Row>, to request: R
    ) -> R {
        let association = tree.refine(association)
        return switch kind {
        case .joiningOptional: request.joining(optional: association)
        case .joiningRequired: request.joining(required: association)
        case .includingRequired: request.including(required: association)
        case .includingOptional, .includingAll: request.including(optional: association)
        }
    }
}

extension AssociationTree.Aggregate {
    fileprivate var count: AssociationAggregate<Row> { value(.count) }
    fileprivate var value: AssociationAggregate<Row> { value(function) }

    private func value(_ function: Function) -> AssociationAggregate<Row> {
        switch link.association {
        case .toMany(let association): value(function, of: association)
        case .through(let association): value(function, of: association)
        case .toOne: preconditionFailure("an aggregate of one row")
        }
    }

    private func value<A: AssociationToMany>(
        _ function: Function, of association: A
    ) -> AssociationAggregate<Row> where A.OriginRowDecoder == Row {
        let number = Column("n")
        let association = minimum.map { association.filter(number >= $0) } ?? association
        return switch function {
        case .count: association.count
        case .isEmpty: association.isEmpty
        case .least: association.min(number)
        case .greatest: association.max(number)
        case .sum: association.sum(number)
        case .average: association.average(number)
        }
    }
}
