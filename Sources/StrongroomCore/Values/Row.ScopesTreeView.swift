extension Row {
    /// The scopes of a row, and the scopes of those, as one: the outermost wins.
    public struct ScopesTreeView {
        let row: Row

        /// The names of the scopes at all levels.
        public var names: Set<String> {
            row.layout.breadthFirst.reduce(into: []) { names, layout in
                names.formUnion(layout.scopes.lazy.map(\.name))
            }
        }

        /// The row of the scope of that name that is nearest to the top; nil when there is none.
        public subscript(_ name: String) -> Row? {
            row.layout.scope(inTree: name).map { Row(storage: row.storage, layout: $0) }
        }
    }
}
