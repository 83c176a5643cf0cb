import Strongroom
import StrongroomTestSupport

/// Pieces of requests, each made twice by the same choices: in Swift, and as SQL by hand.
///
/// The SQL by hand knows nothing of the library: it names every column by its table, and puts
/// everything between parentheses.
struct RandomSQL {
    var generator: SeededGenerator
    /// The number of tables named so far.
    var tableCount = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// An expression, made twice.
    struct Twin {
        var swift: SQLExpression
        var hand: String
    }

    /// A table in view.
    struct Scope {
        let table: LibraryTable
        /// Its name in SQL by hand.
        let name: String
        /// What stands for it in Swift; nil where columns are its own without saying so.
        let alias: TableAlias<Void>?

        func twin(_ column: String) -> Twin {
            let swift = alias?[Column(column)] ?? Column(column).sqlExpression
            return Twin(swift: swift, hand: "\(name).\(column)")
        }
    }

    mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
        generator.pick(choices)
    }

    /// Whether one of that many times came.
    mutating func comes(oneIn count: Int) -> Bool {
        Int.random(in: 0..<count, using: &generator) == 0
    }

    mutating func newName() -> String {
        defer { tableCount += 1 }
        return "t\(tableCount)"
    }

    mutating func scope(_ table: LibraryTable, isAliased: Bool = true) -> Scope {
        Scope(table: table, name: newName(), alias: isAliased ? TableAlias() : nil)
    }
}

// MARK: - Values

extension RandomSQL {
    mutating func number(_ scopes: [Scope], depth: Int = 2) -> Twin {
        if depth == 0 || comes(oneIn: 3) {
            if comes(oneIn: 3) {
                let value = pick([0, 1, 3, -2, 10, 1880, 1900, 1950])
                return Twin(swift: value.databaseValue.sqlExpression, hand: "(\(value) + 0)")
            }
            let scope = pick(scopes)
            return scope.twin(pick(scope.table.numbers))
        }
        let (a, b) = (number(scopes, depth: depth - 1), number(scopes, depth: depth - 1))
        switch Int.random(in: 0...10, using: &generator) {
        case 0: return Twin(swift: a.swift + b.swift, hand: "(\(a.hand) + \(b.hand))")
        case 1: return Twin(swift: a.swift - b.swift, hand: "(\(a.hand) - \(b.hand))")
        case 2: return Twin(swift: a.swift * b.swift, hand: "(\(a.hand) * \(b.hand))")
        case 3: return Twin(swift: a.swift / b.swift, hand: "(\(a.hand) / \(b.hand))")
        case 4: return Twin(swift: -a.swift, hand: "(- \(a.hand))")
        case 5: return Twin(swift: abs(a.swift), hand: "abs(\(a.hand))")
        case 6: return Twin(swift: a.swift ?? b.swift, hand: "ifnull(\(a.hand), \(b.hand))")
        case 7: return Twin(swift: max(a.swift, b.swift), hand: "max(\(a.hand), \(b.hand))")
        case 8: return Twin(swift: a.swift & b.swift, hand: "(\(a.hand) & \(b.hand))")
        case 9: return Twin(swift: cast(a.swift, as: .integer), hand: "CAST(\(a.hand) AS INTEGER)")
        default:
            let text = text(scopes, depth: depth - 1)
            return Twin(swift: length(text.swift), hand: "length(\(text.hand))")
        }
    }

    mutating func text(_ scopes: [Scope], depth: Int = 1) -> Twin {
        if depth == 0 || comes(oneIn: 2) {
            if comes(oneIn: 4) {
                let value = pick(["", "novel", "M", "O'Brien", "Prize 2", "2024-03-01"])
                let literal = value.replacing("'", with: "''")
                return Twin(swift: value.databaseValue.sqlExpression, hand: "'\(literal)'")
            }
            let scope = pick(scopes)
            return scope.twin(pick(scope.table.texts))
        }
        let (a, b) = (text(scopes, depth: depth - 1), text(scopes, depth: depth - 1))
        switch Int.random(in: 0...2, using: &generator) {
        case 0:
            return Twin(
                swift: [a.swift, b.swift].joined(operator: .concat),
                hand: "(\(a.hand) || \(b.hand))")
        case 1:
            return Twin(
                swift: coalesce([a.swift, b.swift]), hand: "coalesce(\(a.hand), \(b.hand))")
        default: return Twin(swift: a.swift ?? b.swift, hand: "ifnull(\(a.hand), \(b.hand))")
        }
    }
}

// MARK: - Conditions

extension RandomSQL {
    mutating func condition(_ scopes: [Scope], depth: Int = 2) -> Twin {
        guard depth > 0, comes(oneIn: 2) else { return comparison(scopes) }
        let (a, b) = (condition(scopes, depth: depth - 1), condition(scopes, depth: depth - 1))
        switch Int.random(in: 0...4, using: &generator) {
        case 0: return Twin(swift: a.swift && b.swift, hand: "(\(a.hand) AND \(b.hand))")
        case 1: return Twin(swift: a.swift || b.swift, hand: "(\(a.hand) OR \(b.hand))")
        case 2: return Twin(swift: !a.swift, hand: "(NOT \(a.hand))")
        case 3: return Twin(swift: a.swift == true, hand: "(\(a.hand) = 1)")
        default:
            let c = condition(scopes, depth: depth - 1)
            let kind = comes(oneIn: 2)
            return Twin(
                swift: [a.swift, b.swift, c.swift].joined(operator: kind ? .and : .or),
                hand: "(" + [a, b, c].map(\.hand).joined(separator: kind ? " AND " : " OR ") + ")")
        }
    }

    private mutating func comparison(_ scopes: [Scope]) -> Twin {
        switch Int.random(in: 0...9, using: &generator) {
        case 0: return compared(text(scopes), text(scopes))
        case 1: return like(text(scopes))
        case 2: return membership(number(scopes, depth: 1))
        case 3: return range(number(scopes, depth: 1))
        case 4: return null(comes(oneIn: 2) ? number(scopes, depth: 1) : text(scopes))
        case 5: return collated(text(scopes))
        case 6: return comes(oneIn: 2) ? subquery(scopes) : existence(scopes)
        default: return compared(number(scopes), number(scopes))
        }
    }

    private mutating func compared(_ a: Twin, _ b: Twin) -> Twin {
        switch Int.random(in: 0...7, using: &generator) {
        case 0: Twin(swift: a.swift == b.swift, hand: "(\(a.hand) = \(b.hand))")
        case 1: Twin(swift: a.swift != b.swift, hand: "(\(a.hand) <> \(b.hand))")
        case 2: Twin(swift: a.swift < b.swift, hand: "(\(a.hand) < \(b.hand))")
        case 3: Twin(swift: a.swift <= b.swift, hand: "(\(a.hand) <= \(b.hand))")
        case 4: Twin(swift: a.swift > b.swift, hand: "(\(a.hand) > \(b.hand))")
        case 5: Twin(swift: a.swift >= b.swift, hand: "(\(a.hand) >= \(b.hand))")
        case 6: Twin(swift: a.swift === b.swift, hand: "(\(a.hand) IS \(b.hand))")
        default: Twin(swift: a.swift !== b.swift, hand: "(\(a.hand) IS NOT \(b.hand))")
        }
    }

    private mutating func like(_ a: Twin) -> Twin {
        let pattern = pick(["%e%", "M%", "%'%", "_r%", "%", "50^%%", "novel"])
        let literal = pattern.replacing("'", with: "''")
        return Twin(
            swift: a.swift.like(pattern, escape: "^"),
            hand: "(\(a.hand) LIKE '\(literal)' ESCAPE '^')")
    }

    private mutating func membership(_ a: Twin) -> Twin {
        let values: [Int?] = pick([[], [3], [nil], [1, 2, 5], [1880, nil, 1], [-2, 10, 1900, 4]])
        let list = values.map { $0.map(String.init) ?? "NULL" }.joined(separator: ", ")
        let swift = values.map(\.databaseValue).contains(a.swift)
        return Twin(swift: swift, hand: "(\(a.hand) IN (\(list)))")
    }

    private mutating func range(_ a: Twin) -> Twin {
        let lower = pick([-5, 1, 3, 1870])
        let upper = lower + pick([0, 2, 60])
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
            return Twin(
                swift: (lower...upper).contains(a.swift),
                hand: "(\(a.hand) BETWEEN \(lower) AND \(upper))")
        case 1:
            return Twin(
                swift: (lower..<upper).contains(a.swift),
                hand: "(\(a.hand) >= \(lower) AND \(a.hand) < \(upper))")
        case 2: return Twin(swift: (...upper).contains(a.swift), hand: "(\(a.hand) <= \(upper))")
        default: return Twin(swift: (lower...).contains(a.swift), hand: "(\(a.hand) >= \(lower))")
        }
    }

    private mutating func null(_ a: Twin) -> Twin {
        comes(oneIn: 2)
            ? Twin(swift: a.swift == nil, hand: "(\(a.hand) IS NULL)")
            : Twin(swift: a.swift != nil, hand: "(\(a.hand) IS NOT NULL)")
    }

    private mutating func collated(_ a: Twin) -> Twin {
        let value = pick(["NOVEL", "essay", "Essay", "MAX"])
        return comes(oneIn: 2)
            ? Twin(
                swift: a.swift.collating(.nocase) == value,
                hand: "((\(a.hand) COLLATE NOCASE) = '\(value)')")
            : Twin(
                swift: a.swift.collating(.nocase) < value,
                hand: "((\(a.hand) COLLATE NOCASE) < '\(value)')")
    }

    /// A condition on another table, be it asked about a row in view or not.
    private mutating func subquery(_ scopes: [Scope]) -> Twin {
        let inner = scope(pick(LibraryTable.all), isAliased: false)
        let link = pick(scopes)
        let (own, other) = (
            inner.twin(pick(inner.table.numbers)), link.twin(pick(link.table.numbers))
        )
        let request = Table(inner.table.name)
        switch Int.random(in: 0...2, using: &generator) {
        case 0 where link.alias != nil:
            let filter = condition([inner], depth: 0)
            return Twin(
                swift: request.filter(own.swift == other.swift).filter(filter.swift).exists(),
                hand: """
                    (EXISTS (SELECT 1 FROM \(inner.table.name) \(inner.name)
                    WHERE \(own.hand) = \(other.hand) AND \(filter.hand)))
                    """)
        case 1:
            let filter = condition([inner], depth: 0)
            return Twin(
                swift: request.filter(filter.swift).select(own.swift).contains(other.swift),
                hand: """
                    (\(other.hand) IN (SELECT \(own.hand) FROM \(inner.table.name) \(inner.name)
                    WHERE \(filter.hand)))
                    """)
        default:
            return Twin(
                swift: other.swift < request.select(max(own.swift)),
                hand: """
                    (\(other.hand) < (SELECT max(\(own.hand))
                    FROM \(inner.table.name) \(inner.name)))
                    """)
        }
    }

    /// Whether an association leads from a row in view to another.
    private mutating func existence(_ scopes: [Scope]) -> Twin {
        let origin = pick(scopes)
        guard let alias = origin.alias else { return comparison(scopes) }
        let link = pick(origin.table.links)
        let inner = scope(.named(link.destination), isAliased: false)
        let filter = condition([inner], depth: 0)
        func exists(_ association: some Association<Row, Row>) -> SQLExpression {
            association.filter(filter.swift).exists
        }
        var (tables, columns) = ("\(inner.table.name) \(inner.name)", link.columns)
        var near = inner.name
        if let pivot = link.pivot {
            near = newName()
            tables += """
                 JOIN \(pivot.table) \(near)
                ON \(inner.name).\(columns.destination) = \(near).\(columns.origin)
                """
            columns = pivot.columns
        }
        return Twin(
            swift: alias[exists(link.association)],
            hand: """
                (EXISTS (SELECT 1 FROM \(tables) WHERE \(filter.hand)
                AND \(near).\(columns.destination) = \(origin.name).\(columns.origin)))
                """)
    }
}
