// Changes in place. Each assigns an expression of the column itself.

extension SQLQueryExpression where QueryValue.Unwrapped: _BindableInteger {
    /// Takes the remainder.
    public static func %= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs % rhs
    }
    /// Keeps the bits that both have.
    public static func &= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs & rhs
    }
    /// Adds bits.
    public static func |= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs | rhs
    }
    /// Moves the bits left.
    public static func <<= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs << rhs
    }
    /// Moves the bits right.
    public static func >>= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs >> rhs
    }
    /// Takes the remainder by an expression.
    @_disfavoredOverload
    public static func %= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs % rhs
    }
    /// Keeps the bits that both have.
    @_disfavoredOverload
    public static func &= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs & rhs
    }
    /// Adds bits.
    @_disfavoredOverload
    public static func |= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs | rhs
    }
    /// Moves the bits left.
    @_disfavoredOverload
    public static func <<= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs << rhs
    }
    /// Moves the bits right.
    @_disfavoredOverload
    public static func >>= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs >> rhs
    }
}

extension SQLQueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// Adds to the value of the column.
    public static func += (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs + rhs
    }
    /// Subtracts from the value of the column.
    public static func -= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs - rhs
    }
    /// Multiplies the value of the column.
    public static func *= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs * rhs
    }
    /// Divides the value of the column.
    public static func /= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs / rhs
    }
    /// Adds an expression to the value of the column.
    @_disfavoredOverload
    public static func += (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs + rhs
    }
    /// Subtracts an expression from the value of the column.
    @_disfavoredOverload
    public static func -= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs - rhs
    }
    /// Multiplies the value of the column by an expression.
    @_disfavoredOverload
    public static func *= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs * rhs
    }
    /// Divides the value of the column by an expression.
    @_disfavoredOverload
    public static func /= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs / rhs
    }
    /// Changes the sign.
    ///
    ///     Item.update { $0.stars.negate() }  // UPDATE "items" SET "stars" = -"items"."stars"
    public mutating func negate() { self = -self }
}

extension SQLQueryExpression where QueryValue.Unwrapped == String {
    /// Appends text to the value of the column.
    public static func += (lhs: inout Self, rhs: String) { lhs = lhs + rhs }
    /// Adds an expression to the value of the column.
    @_disfavoredOverload
    public static func += (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs + rhs
    }
    /// Adds a text.
    ///
    ///     Item.find(1).update { $0.title.append(" (oat)") }
    ///     // UPDATE "items" SET "title" = "items"."title" || ' (oat)' WHERE "items"."id" = 1
    public mutating func append(_ text: String) { self = self + text }
    /// Adds a text.
    @_disfavoredOverload
    public mutating func append(_ text: some QueryExpression<QueryValue>) { self = self + text }
    /// Adds a text.
    public mutating func append(contentsOf text: String) { self = self + text }
    /// Adds a text.
    @_disfavoredOverload
    public mutating func append(contentsOf text: some QueryExpression<QueryValue>) {
        self = self + text
    }
}

extension SQLQueryExpression where QueryValue.Unwrapped == Bool {
    /// Turns true into false, and false into true.
    ///
    ///     try Item.find(1).update { $0.isDone.toggle() }.returning(\.isDone).fetchAll(db)
    ///     // [true]
    public mutating func toggle() { self = !self }
}

// A subquery without a row is NULL, which a column without NULLs refuses.

extension SQLQueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// Adds what a query gives to the value of the column.
    ///
    ///     Item.update { $0.stars += Item.select { $0.stars.min() } }
    ///     // UPDATE "items" SET "stars" = "items"."stars" + (SELECT min("items"."stars") FROM "items")
    public static func += <Query: ResultStatement & QueryExpression>(lhs: inout Self, rhs: Query)
    where Query.AssignedValue == QueryValue.Unwrapped {
        lhs = lhs + SQLQueryExpression(rhs._assignedFragment)
    }
    /// Subtracts what a query gives from the value of the column.
    public static func -= <Query: ResultStatement & QueryExpression>(lhs: inout Self, rhs: Query)
    where Query.AssignedValue == QueryValue.Unwrapped {
        lhs = lhs - SQLQueryExpression(rhs._assignedFragment)
    }
    /// Multiplies the value of the column by what a query gives.
    public static func *= <Query: ResultStatement & QueryExpression>(lhs: inout Self, rhs: Query)
    where Query.AssignedValue == QueryValue.Unwrapped {
        lhs = lhs * SQLQueryExpression(rhs._assignedFragment)
    }
    /// Divides the value of the column by what a query gives.
    public static func /= <Query: ResultStatement & QueryExpression>(lhs: inout Self, rhs: Query)
    where Query.AssignedValue == QueryValue.Unwrapped {
        lhs = lhs / SQLQueryExpression(rhs._assignedFragment)
    }
}

extension SQLQueryExpression where QueryValue.Unwrapped: _BindableInteger {
    /// Takes the remainder by what a query gives.
    public static func %= <Query: ResultStatement & QueryExpression>(lhs: inout Self, rhs: Query)
    where Query.AssignedValue == QueryValue.Unwrapped {
        lhs = lhs % SQLQueryExpression(rhs._assignedFragment)
    }
}

extension SQLQueryExpression where QueryValue.Unwrapped == String {
    /// Appends what a query gives to the value of the column.
    public static func += <Query: ResultStatement & QueryExpression>(lhs: inout Self, rhs: Query)
    where Query.AssignedValue == String {
        lhs = lhs + SQLQueryExpression(rhs._assignedFragment)
    }
}
