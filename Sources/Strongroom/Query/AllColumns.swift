/// All columns of a table: `*`.
public struct AllColumns: SQLSelectable, Sendable {
    public init() {}

    private struct Node: SQLNode {
        func write(to sql: inout SQLGenerationContext) { sql.appendAllColumns() }
    }

    public var sqlSelection: SQLSelection { SQLSelection(Node()) }
}

extension SQLSelectable where Self == AllColumns {
    /// All columns of the table: `*`.
    public static var allColumns: AllColumns { AllColumns() }
}

extension SQLSelectable where Self == Column {
    /// The number of a row. <https://www.sqlite.org/rowidtable.html>
    public static var rowID: Column { Column.rowID }
}
