extension Row {
    /// The scopes of a row, and the scopes of those, as one: the outermost wins.
    public struct ScopesTreeView {
        let row: Row

        /// The names of the scopes at all levels.
        public var names: Set<String> {
            row.breadthFirst.reduce(into: []) { names, row in names.formUnion(row.scopes.names) }
        }

        /// The row of the scope of that name that is nearest to the top; nil when there is none.
        public subscript(_ name: String) -> Row? {
            for row in row.breadthFirst {
                if let scope = row.scopes[name] { return scope }
            }
            return nil
        }
    }
}
