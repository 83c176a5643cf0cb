import Strongroom

/// The rows of association trees, found by nested loops: what requests must give.
///
/// A row is a text of its number, its aggregates, what was fetched after it, and what was joined.
struct AssociationLoops {
    let model: ShelfModel

    typealias Line = ShelfModel.Line
    typealias Branch = AssociationTree.Branch

    func allLines(of table: String) -> [Line] { model.lines[table] ?? [] }

    /// The rows that a link leads to from a row: once for each way.
    func ends(_ link: ShelfModel.Link, from line: Line) -> [Line] {
        link.steps.reduce([line]) { lines, step in
            lines.flatMap { matches(step, $0) }
        }
    }

    /// The texts of those of some rows that a tree asks for.
    func texts(of tree: AssociationTree, from lines: [Line]) -> [String] {
        let lines = lines.filter { accepts($0, tree) }
        guard !tree.aggregates.isEmpty else {
            return lines.flatMap { line in
                joinedTexts(line, tree.joins).map { shown(line, tree) + $0 }
            }
        }
        let groups = Dictionary(grouping: lines) { $0.number("id") ?? 0 }
        return groups.values.compactMap { group in
            text(ofGroup: group[0], wayCount: group.count, tree)
        }
    }

    private func matches(_ step: ShelfModel.Link.Step, _ line: Line?) -> [Line] {
        guard let value = line?.number(step.near) else { return [] }
        return allLines(of: step.table).filter { $0.number(step.far) == value }
    }

    private func accepts(_ line: Line, _ tree: AssociationTree) -> Bool {
        guard tree.minimum.map({ line.number("n") ?? 0 >= $0 }) ?? true else { return false }
        return tree.checks.allSatisfy { check in
            ends(check.link, from: line).contains {
                accepts($0, check.tree) && !joinedTexts($0, check.tree.joins).isEmpty
            }
        }
    }
}

// MARK: - Joins

extension AssociationLoops {
    /// What is joined to a row, once for each combination.
    private func joinedTexts(_ line: Line?, _ joins: [Branch]) -> [String] {
        joins.reduce([""]) { texts, branch in
            let joined = ends(branch, from: line).flatMap { end in
                joinedTexts(end, branch.tree.joins).map { text in
                    let own = branch.isIncluded ? shown(end, branch.tree) : ""
                    return "(\(branch.tree.table) \(own)\(text))"
                }
            }
            return texts.flatMap { text in joined.map { text + $0 } }
        }
    }

    /// The rows that are joined to a row; nil where nothing is, if that may be.
    private func ends(_ branch: Branch, from line: Line?) -> [Line?] {
        var ends = [line]
        for (index, step) in branch.link.steps.enumerated() {
            let isLast = index == branch.link.steps.count - 1
            ends = ends.flatMap { end -> [Line?] in
                let found = matches(step, end).filter { !isLast || accepts($0, branch.tree) }
                return found.isEmpty && !branch.isRequired ? [nil] : found
            }
        }
        return ends
    }

    private func shown(_ line: Line?, _ tree: AssociationTree) -> String {
        let id = line?.number("id").map(String.init) ?? "-"
        let prefetched = tree.prefetches.map { branch in
            let found = line.map { ends(branch.link, from: $0) } ?? []
            let texts = texts(of: branch.tree, from: found).sorted().joined(separator: ",")
            return "[\(branch.tree.table) \(texts)]"
        }
        return id + prefetched.joined()
    }
}

// MARK: - Groups

extension AssociationLoops {
    /// The one row of all that are joined to a row; nil where there are none.
    private func text(ofGroup line: Line, wayCount: Int, _ tree: AssociationTree) -> String? {
        let joined = joinedTexts(line, tree.joins)
        guard let text = joined.first else { return nil }
        let ends = tree.aggregates.map { aggregate in
            let inside = AssociationTree(
                table: aggregate.link.destination, minimum: aggregate.minimum)
            return self.ends(
                Branch(link: aggregate.link, kind: .joiningOptional, tree: inside), from: line)
        }
        let combinations = ends.reduce(wayCount * joined.count) { $0 * $1.count }
        if let minimum = tree.minimumCount,
            Set(ends[0].compactMap { $0?.number("id") }).count < minimum
        {
            return nil
        }
        let values = zip(tree.aggregates, ends).map { aggregate, ends in
            let times = combinations / ends.count
            return "\(value(aggregate.function, of: ends.compactMap(\.self), times: times));"
        }
        return values.joined() + shown(line, tree) + text
    }

    /// - Parameter times: How often each row is there, because of what else is joined.
    private func value(
        _ function: AssociationTree.Aggregate.Function, of lines: [Line], times: Int
    ) -> String {
        let numbers = lines.compactMap { $0.number("n") }
        let sum = numbers.reduce(0, +)
        switch function {
        case .count: return "\(Set(lines.map { $0.number("id") }).count)"
        case .isEmpty: return lines.isEmpty ? "1" : "0"
        case .least: return numbers.min().map(String.init) ?? "-"
        case .greatest: return numbers.max().map(String.init) ?? "-"
        case .sum: return numbers.isEmpty ? "-" : "\(sum * times)"
        case .average: return numbers.isEmpty ? "-" : "\(Double(sum) / Double(numbers.count))"
        }
    }
}

extension ShelfModel.Line {
    fileprivate func number(_ column: String) -> Int? { self[column] ?? nil }
}

// MARK: - Fetched rows

extension AssociationTree {
    /// The same text of a row that was fetched.
    func text(of row: Row) -> String {
        let values = aggregates.indices.map { index in
            let value: DatabaseValue? = row["a\(index)"]
            return "\(value.map { $0.isNull ? "-" : $0.description } ?? "missing");"
        }
        return values.joined() + shown(row) + joinedText(row)
    }

    private func joinedText(_ row: Row?) -> String {
        joins.map { branch in
            let scope = branch.link.steps.reduce(row) { $0?.scopes[$1.table] }
            let own = branch.isIncluded ? branch.tree.shown(scope) : ""
            return "(\(branch.tree.table) \(own)\(branch.tree.joinedText(scope)))"
        }.joined()
    }

    private func shown(_ row: Row?) -> String {
        guard let row else { return "missing" }
        let id: Int? = row["id"]
        let prefetched = prefetches.map { branch in
            let rows = row.prefetchedRows["\(branch.tree.table)s"]
            let texts = rows?.map(branch.tree.text).sorted().joined(separator: ",")
            return "[\(branch.tree.table) \(texts ?? "missing")]"
        }
        return (id.map(String.init) ?? "-") + prefetched.joined()
    }
}
