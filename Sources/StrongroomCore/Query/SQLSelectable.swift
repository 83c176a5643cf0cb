/// A type that can stand between `SELECT` and `FROM`.
public protocol SQLSelectable {
    /// What is selected.
    var sqlSelection: SQLSelection { get }
}

extension SQLSelectable where Self: RawRepresentable, RawValue: SQLSelectable {
    public var sqlSelection: SQLSelection { rawValue.sqlSelection }
}

extension Optional: SQLSelectable where Wrapped: SQLSelectable {
    public var sqlSelection: SQLSelection {
        self?.sqlSelection ?? SQLSelection(SQLExpression(value: .null))
    }
}
