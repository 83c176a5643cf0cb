extension Row: Hashable {
    /// Equality of names, in their case, and values, in their order, and the same of all scopes.
    ///
    /// Numbers are equal by value: 1 equals 1.0. What an adapter hides does not count.
    public static func == (lhs: Row, rhs: Row) -> Bool {
        guard lhs.count == rhs.count else { return false }
        return zip(lhs, rhs).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
            && lhs.scopes.elementsEqual(rhs.scopes) { $0.name == $1.name && $0.row == $1.row }
            && lhs.ownPrefetchedRows == rhs.ownPrefetchedRows
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (name, value) in self {
            hasher.combine(name)
            hasher.combine(value)
        }
        for scope in scopes {
            hasher.combine(scope.name)
            hasher.combine(scope.row)
        }
    }
}
