/// All columns of a table: `*`.
public struct AllColumns: SQLSelectable, Sendable {
    /// All columns of the table that is selected from.
    public init() {}

    public var sqlSelection: SQLSelection { SQLSelection(.allColumns) }
}

/// All columns of a table but some.
public struct AllColumnsExcluding: SQLSelectable, Sendable {
    private let excludedNames: Set<String>

    /// All columns but those of these names, in any case; unknown names are ignored.
    ///
    ///     let request = Player.select([AllColumnsExcluding(["score"])])
    public init(_ excludedColumns: some Collection<String>) {
        excludedNames = Set(excludedColumns.map { $0.lowercased() })
    }

    public var sqlSelection: SQLSelection {
        SQLSelection(excludedNames.isEmpty ? .allColumns : .allColumnsExcluding(excludedNames))
    }
}

extension SQLSelectable where Self == AllColumns {
    /// All columns of the table: `*`.
    public static var allColumns: AllColumns { AllColumns() }
}

extension SQLSelectable where Self == AllColumnsExcluding {
    /// All columns of the table but those of these names, in any case; unknown names are ignored.
    public static func allColumns(
        excluding excludedColumns: some Collection<String>
    ) -> AllColumnsExcluding {
        AllColumnsExcluding(excludedColumns)
    }

    /// All columns of the table but these.
    public static func allColumns(
        excluding excludedColumns: some Collection<any ColumnExpression>
    ) -> AllColumnsExcluding {
        AllColumnsExcluding(excludedColumns.map(\.name))
    }
}

extension SQLSelectable where Self == Column {
    /// The number of a row. <https://www.sqlite.org/rowidtable.html>
    public static var rowID: Column { Column.rowID }
}
