public import StrongroomCore

/// How SQLite runs a statement, as a tree.
public struct QueryPlan: Sendable, CustomStringConvertible {
    /// One step of the plan.
    public struct Node: Sendable {
        /// What SQLite says about the step: `SCAN items`.
        public let detail: String
        /// The steps that this one is made of.
        public internal(set) var children: [Node]
    }
    /// The steps.
    public let nodes: [Node]

    /// The steps as lines, those of a step indented below it.
    public var description: String { Self.text(nodes, "") }

    private static func text(_ nodes: [Node], _ indentation: String) -> String {
        nodes.map { indentation + $0.detail + "\n" + text($0.children, indentation + "  ") }
            .joined()
    }

    private func contains(_ fulfils: (String) -> Bool) -> Bool {
        description.split(separator: "\n").contains { line in
            fulfils(String(line.drop { $0 == " " }))
        }
    }

    /// Whether all rows of a table are read.
    ///
    ///     let plan = try Item.where { $0.stars.eq(5) }.explainQueryPlan(db)
    ///     plan.scansTable("items")  // true
    public func scansTable(_ name: String) -> Bool {
        contains { $0 == "SCAN \(name)" || $0.hasPrefix("SCAN \(name) ") }
    }

    /// Whether an index is used.
    ///
    ///     try Item.createIndex("byStars", on: { $0.stars }).execute(db)
    ///     try Item.where { $0.stars.eq(5) }.explainQueryPlan(db).uses(index: "byStars")  // true
    public func uses(index name: String) -> Bool {
        contains {
            $0.split(separator: " ").contains(Substring(name)) && $0.contains("INDEX \(name)")
        }
    }
}

extension Statement {
    /// How SQLite would run the statement.
    ///
    ///     let plan = try Item.find(1).explainQueryPlan(db)
    ///     // SEARCH items USING INTEGER PRIMARY KEY (rowid=?)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func explainQueryPlan(_ db: Database) throws -> QueryPlan {
        let query = _fetchedQuery
        if query.isEmpty { return QueryPlan(nodes: []) }
        let explain = QueryFragment(text: "EXPLAIN QUERY PLAN ") + query
        guard let run = try run(db, explain) else { return QueryPlan(nodes: []) }
        var steps: [(id: Int, parent: Int, detail: String)] = []
        while try run.step() {
            steps.append(
                try run.decode { decoder in
                    let id = try Int(decoder: &decoder)
                    let parent = try Int(decoder: &decoder)
                    decoder.skip(1)
                    return (id, parent, try String(decoder: &decoder))
                })
        }
        func children(of parent: Int) -> [QueryPlan.Node] {
            steps.filter { $0.parent == parent && $0.id != parent }.map {
                QueryPlan.Node(detail: $0.detail, children: children(of: $0.id))
            }
        }
        return QueryPlan(nodes: children(of: 0))
    }
}
