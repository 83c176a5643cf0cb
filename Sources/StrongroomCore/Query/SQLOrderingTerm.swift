/// A type by which rows can be ordered.
public protocol SQLOrderingTerm {
    /// The ordering.
    var sqlOrdering: SQLOrdering { get }
}

extension SQLOrderingTerm where Self: RawRepresentable, RawValue: SQLOrderingTerm {
    public var sqlOrdering: SQLOrdering { rawValue.sqlOrdering }
}

extension Optional: SQLOrderingTerm where Wrapped: SQLOrderingTerm {
    public var sqlOrdering: SQLOrdering {
        self?.sqlOrdering ?? SQLOrdering(SQLExpression(value: .null))
    }
}
