import Strongroom
import StrongroomTestSupport

/// A request for rows by what their associated rows add up to, and the query by hand, which asks a
/// subquery for each number.
struct RandomHaving {
    private(set) var request: QueryInterfaceRequest<Row>
    private var random: RandomSQL
    private let base: RandomSQL.Scope
    private var kept: [Kept] = []

    // The parts of the query by hand.
    private var selection: [String]
    private var filters: [String] = []

    /// A number of associated rows, made twice.
    private struct Twin {
        var swift: AssociationAggregate<Row>
        var hand: String
    }

    /// An association to many, with a filter of its own, and the same rows as a part of SQL.
    private struct Kept {
        let association: Kind
        /// The name of the table in SQL by hand.
        let name: String
        let table: LibraryTable
        let rows: String

        enum Kind {
            case direct(HasManyAssociation<Row, Row>)
            case through(HasManyThroughAssociation<Row, Row>)
        }
    }

    init(seed: UInt64) {
        random = RandomSQL(seed: seed)
        base = random.scope(random.pick(LibraryTable.all.prefix(2)))
        request = Table(base.table.name).all()
        if let alias = base.alias { request = request.aliased(alias) }
        selection = ["\(base.name).*"]
        for _ in 0..<random.pick([1, 1, 2, 3]) { addKept() }
        for index in 0..<2 {
            let number = number(depth: 1)
            request = request.annotated(with: number.swift.forKey("a\(index)"))
            selection.append(number.hand)
        }
        if random.comes(oneIn: 2) {
            let filter = random.condition([base], depth: 1)
            request = request.filter(filter.swift)
            filters.append(filter.hand)
        }
        for _ in 0..<random.pick([0, 1, 2]) {
            let condition = condition(depth: 2)
            request = request.having(condition.swift)
            filters.append(condition.hand)
        }
    }

    /// The query by hand.
    var hand: String {
        "SELECT \(selection.joined(separator: ", ")) FROM \(base.table.name) \(base.name)"
            + (filters.isEmpty ? "" : " WHERE " + filters.joined(separator: " AND "))
    }

    /// Keeps some of the rows that an association leads to.
    private mutating func addKept() {
        let link = random.pick(base.table.links.filter(\.isToMany))
        let child = random.scope(.named(link.destination), isAliased: false)
        let filter = random.condition([child], depth: 0)
        let key = "kept\(kept.count)x"
        var (tables, near, columns) = (
            "\(child.table.name) \(child.name)", child.name, link.columns
        )
        if let pivot = link.pivot {
            near = random.newName()
            tables += """
                 JOIN \(pivot.table) \(near)
                ON \(child.name).\(columns.destination) = \(near).\(columns.origin)
                """
            columns = pivot.columns
        }
        let association: Kept.Kind
        if let direct = link.association as? HasManyAssociation<Row, Row> {
            association = .direct(direct.filter(filter.swift).forKey(key))
        } else if let through = link.association as? HasManyThroughAssociation<Row, Row> {
            // Two of them share the rows between, which each of them would multiply.
            association = .through(through.filter(filter.swift).forKey(key))
        } else {
            return
        }
        kept.append(
            Kept(
                association: association, name: child.name, table: child.table,
                rows: """
                    FROM \(tables) WHERE \(filter.hand)
                    AND \(near).\(columns.destination) = \(base.name).\(columns.origin)
                    """))
    }
}

// MARK: - Numbers of associated rows

extension RandomHaving {
    private mutating func plain() -> Twin {
        let kept = random.pick(kept)
        // Where several associations are joined, each row comes once for each of the others.
        let kinds = self.kept.count == 1 ? 7 : 4
        let kind = Int.random(in: 0..<kinds, using: &random.generator)
        let column = random.pick(kept.table.numbers)
        let value = "\(kept.name).\(column)"
        let functions = ["count(*)", "max", "min", "count(*)", "sum", "avg", "total"]
        let call = kind % 3 == 0 && kind < 4 ? functions[kind] : "\(functions[kind])(\(value))"
        let hand = "(SELECT \(call) \(kept.rows))"
        let swift =
            switch kept.association {
            case .direct(let association): Self.aggregate(kind, of: association, Column(column))
            case .through(let association): Self.aggregate(kind, of: association, Column(column))
            }
        return Twin(swift: swift, hand: kind == 3 ? "(\(hand) = 0)" : hand)
    }

    private static func aggregate<A: AssociationToMany>(
        _ kind: Int, of association: A, _ column: Column
    ) -> AssociationAggregate<Row> where A.OriginRowDecoder == Row {
        switch kind {
        case 0: association.count
        case 1: association.max(column)
        case 2: association.min(column)
        case 3: association.isEmpty
        case 4: association.sum(column)
        case 5: association.average(column)
        default: association.total(column)
        }
    }

    private mutating func number(depth: Int) -> Twin {
        guard depth > 0, random.comes(oneIn: 2) else { return plain() }
        let (a, b) = (number(depth: depth - 1), number(depth: depth - 1))
        let value = random.pick([0, 1, -3, 5])
        return switch Int.random(in: 0...6, using: &random.generator) {
        case 0: Twin(swift: a.swift + b.swift, hand: "(\(a.hand) + \(b.hand))")
        case 1: Twin(swift: a.swift - value, hand: "(\(a.hand) - \(value))")
        case 2: Twin(swift: value * a.swift, hand: "(\(value) * \(a.hand))")
        case 3: Twin(swift: -a.swift, hand: "(- \(a.hand))")
        case 4: Twin(swift: a.swift ?? value, hand: "ifnull(\(a.hand), \(value))")
        case 5: Twin(swift: abs(a.swift), hand: "abs(\(a.hand))")
        default: Twin(swift: a.swift / b.swift, hand: "(\(a.hand) / \(b.hand))")
        }
    }

    private mutating func condition(depth: Int) -> Twin {
        guard depth > 0, random.comes(oneIn: 2) else { return comparison() }
        let (a, b) = (condition(depth: depth - 1), condition(depth: depth - 1))
        return switch Int.random(in: 0...3, using: &random.generator) {
        case 0: Twin(swift: a.swift && b.swift, hand: "(\(a.hand) AND \(b.hand))")
        case 1: Twin(swift: a.swift || b.swift, hand: "(\(a.hand) OR \(b.hand))")
        case 2: Twin(swift: !a.swift, hand: "(NOT \(a.hand))")
        default: withColumn(a)
        }
    }

    /// A condition of associated rows, and one of the row itself.
    private mutating func withColumn(_ a: Twin) -> Twin {
        guard base.alias != nil else { return a }
        let own = random.condition([base], depth: 0)
        return Twin(swift: a.swift || own.swift, hand: "(\(a.hand) OR \(own.hand))")
    }

    private mutating func comparison() -> Twin {
        let (a, b) = (number(depth: 1), number(depth: 1))
        let value = random.pick([0, 1, 3, 1900])
        let none: Int? = nil
        return switch Int.random(in: 0...7, using: &random.generator) {
        case 0: Twin(swift: a.swift == b.swift, hand: "(\(a.hand) = \(b.hand))")
        case 1: Twin(swift: a.swift != value, hand: "(\(a.hand) <> \(value))")
        case 2: Twin(swift: a.swift < b.swift, hand: "(\(a.hand) < \(b.hand))")
        case 3: Twin(swift: value >= a.swift, hand: "(\(value) >= \(a.hand))")
        case 4: Twin(swift: a.swift === b.swift, hand: "(\(a.hand) IS \(b.hand))")
        case 5: Twin(swift: a.swift == none, hand: "(\(a.hand) IS NULL)")
        case 6: Twin(swift: a.swift !== value, hand: "(\(a.hand) IS NOT \(value))")
        default: Twin(swift: a.swift > value, hand: "(\(a.hand) > \(value))")
        }
    }
}
