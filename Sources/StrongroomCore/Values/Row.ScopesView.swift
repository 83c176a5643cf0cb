extension Row {
    /// The scopes of a row: names, each with a row, in the alphabetical order of the names.
    public struct ScopesView: RandomAccessCollection {
        let row: Row

        /// The names of the scopes.
        public var names: Set<String> { Set(row.layout.scopes.map(\.name)) }

        /// The row of a scope; nil when there is no such scope.
        public subscript(_ name: String) -> Row? {
            row.layout.scope(named: name).map { Row(storage: row.storage, layout: $0) }
        }

        public var startIndex: Int { 0 }

        public var endIndex: Int { row.layout.scopes.count }

        public subscript(position: Int) -> (name: String, row: Row) {
            let scope = row.layout.scopes[position]
            return (scope.name, Row(storage: row.storage, layout: scope.layout))
        }
    }
}
