public import StrongroomCore

/// There is no row with a key.
public struct NotFound: Error, Sendable, Equatable, CustomStringConvertible {
    /// The table.
    public let table: String
    /// The key, as SQL.
    public let key: String

    /// Makes an error.
    public init(table: String, key: String) {
        self.table = table
        self.key = key
    }

    /// The error in words.
    public var description: String { "\"\(table)\" has no row with the key \(key)" }
}

extension SelectStatement where Tables.First: PrimaryKeyedTable {
    /// Fetches the row with a key of the first table.
    ///
    ///     let title = try Item.where { !$0.isDone }.find(db, key: 3).title  // "Seeds"
    ///
    /// - Throws: `NotFound` when there is none.
    public func find(
        _ db: Database, key: Tables.First.PrimaryKey.Unwrapped.QueryOutput
    ) throws -> Row {
        if let row = try find(key).fetchOne(db) { return row }
        let text = Tables.First.PrimaryKey.fragment(key).description
        throw NotFound(table: Tables.First._layout.table.name, key: text)
    }
}

extension PrimaryKeyedTable {
    /// Fetches the row with a key.
    ///
    ///     let folder = try Folder.find(db, key: 1)
    ///     do { _ = try Folder.find(db, key: 9) } catch let error as NotFound { print(error) }
    ///
    /// - Throws: `NotFound` when there is none.
    public static func find(
        _ db: Database, key: PrimaryKey.Unwrapped.QueryOutput
    ) throws -> Self where SideValue == Self {
        try Where<Self>().find(db, key: key)
    }
}

extension SelectStatement where Shape: UnselectedShape {
    /// Fetches the rows in groups, by a column.
    ///
    ///     let byYear = try Item.where { !$0.isDone }.fetchDictionary(db, by: \.year)
    ///     byYear[2026]?.count  // 2
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchDictionary<From: QuerySource, Column: QueryExpression>(
        _ db: Database, by path: KeyPath<From.SideColumns, Column>
    ) throws -> [Column.QueryValue.QueryOutput: [Row]]
    where Tables == Tables1<From>, Column.QueryValue.QueryOutput: Hashable {
        let column = From._sideColumns(_clauses.from.tables[0])[keyPath: path]
        return Dictionary(grouping: try rows(db, with: column), by: \.0).mapValues {
            $0.map(\.1)
        }
    }

    /// Fetches the rows by their keys.
    ///
    ///     let open = try Item.where { !$0.isDone }.fetchKeyed(db)
    ///     open[3]?.title  // "Seeds"
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchKeyed<From: PrimaryKeyedTable>(
        _ db: Database
    ) throws -> [From.PrimaryKey.QueryOutput: Row]
    where Tables == Tables1<From>, From.PrimaryKey.QueryOutput: Hashable {
        let table = _clauses.from.tables[0]
        let key = KeyExpression<From.PrimaryKey>(From._layout, table)
        return Dictionary(try rows(db, with: key), uniquingKeysWith: { first, _ in first })
    }
}

extension SelectStatement {
    /// The rows, each with the value of an expression.
    func rows<Column: QueryExpression>(
        _ db: Database, with column: Column
    ) throws -> [(Column.QueryValue.QueryOutput, Row)] {
        var clauses = _clauses.resolved
        let selected = clauses.columns.isEmpty ? clauses.from.columns : clauses.columns
        clauses.columns = column._resultColumns + selected
        guard let run = try run(db, clauses.fragment(isFetched: true)) else { return [] }
        var rows: [(Column.QueryValue.QueryOutput, Row)] = []
        while try run.step() {
            rows.append(
                try run.decode { decoder in
                    let value = try decoder.decode(Column.QueryValue.self)
                    return (value, try Shape._row(&decoder))
                })
        }
        return rows
    }
}

extension QuerySource
where DefaultScope.Tables == Tables1<Self>, DefaultScope.Shape: UnselectedShape {
    /// Fetches the rows in groups, by a column.
    ///
    ///     let byFolder = try Item.fetchDictionary(db, by: \.folderID)
    ///     byFolder[1]?.map(\.title)  // ["Milk", "Bread"]
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchDictionary<Column: QueryExpression>(
        _ db: Database, by path: KeyPath<SideColumns, Column>
    ) throws -> [Column.QueryValue.QueryOutput: [DefaultScope.Row]]
    where Column.QueryValue.QueryOutput: Hashable {
        try all.fetchDictionary(db, by: path)
    }
}

extension PrimaryKeyedTable
where
    DefaultScope.Tables == Tables1<Self>, DefaultScope.Shape: UnselectedShape,
    PrimaryKey.QueryOutput: Hashable
{
    /// Fetches the rows by their keys.
    ///
    ///     let folders = try Folder.fetchKeyed(db)
    ///     folders[2]?.title  // "garden"
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchKeyed(
        _ db: Database
    ) throws -> [PrimaryKey.QueryOutput: DefaultScope.Row] {
        try all.fetchKeyed(db)
    }
}
