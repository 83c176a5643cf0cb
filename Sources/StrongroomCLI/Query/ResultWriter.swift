import StrongroomCore

/// Writes the rows of one statement after the other in some format, as they come.
protocol ResultWriter {
    /// Begins the rows of a statement.
    mutating func begin(_ statement: Statement) throws(Failure)
    /// Writes the row at which the statement stands.
    mutating func append(_ row: Row) throws
    /// Ends the rows of a statement.
    mutating func end() throws(Failure)
    /// Ends everything; `changeCount` rows were changed by statements that return none.
    mutating func finish(changeCount: Int?) throws(Failure)
    /// Ends everything early: what was written is made whole, as far as the format has it so.
    mutating func fail() throws(Failure)
}

extension ResultWriter {
    mutating func fail() throws(Failure) {}
}
