/// How records with certain columns are written to their table: SQL, and where the values are.
@usableFromInline
final class ColumnPlan {
    let names: [String]
    let tableName: String
    /// Whether the table is a view, of which SQLite does not count the rows that triggers change.
    let isInView: Bool
    private let table: String
    /// The columns of the primary key; none for a view without one, which can be inserted into.
    let keyNames: [String]
    /// Where each column of the primary key is, if anywhere.
    let keyPositions: [Int?]
    @usableFromInline let rowIDColumn: String?
    /// The places of the columns that are no part of the primary key.
    let otherPositions: [Int]
    private var knownTableNames: Set<String>?
    private var statements: [Operation: String] = [:]
    private var latest: (operation: Operation, sql: String)?
    private let hasRowID: Bool

    /// What is done to a row.
    enum Operation: Hashable {
        case insert(Database.ConflictResolution)
        /// The columns at these places get values.
        case update(Database.ConflictResolution, [Int])
        case insertSeveral(Database.ConflictResolution, Int)
        case upsert
        case delete
        case exists
    }

    init(names: [String], of plan: TablePlan, _ db: Database) throws {
        self.names = names
        tableName = plan.tableName
        table = tableName.quotedDatabaseIdentifier
        isInView = try db.viewExists(tableName)
        let isKeyless = isInView && db.schemaSource == nil
        let key = isKeyless ? nil : try plan.primaryKey(db)
        keyNames = key?.columns ?? []
        rowIDColumn = key?.rowIDColumn
        hasRowID = key?.tableHasRowID ?? false
        let positions = keyNames.map { keyName in
            names.firstIndex { $0.lowercased() == keyName.lowercased() }
        }
        keyPositions = positions
        otherPositions = names.indices.filter { !positions.contains($0) }
    }

    /// The columns of the table, whether the records have them or not.
    @usableFromInline
    func tableNames(_ db: Database) throws -> Set<String> {
        if let knownTableNames { return knownTableNames }
        let names = try Set(db.columns(in: tableName).map(\.name))
        knownTableNames = names
        return names
    }

    /// The SQL of an operation.
    func sql(_ operation: Operation) -> String {
        if let latest, latest.operation == operation { return latest.sql }
        let sql = statements[operation] ?? makeSQL(operation)
        statements[operation] = sql
        latest = (operation, sql)
        return sql
    }

    private func makeSQL(_ operation: Operation) -> String {
        switch operation {
        case .insert(let resolution): insertion(resolution)
        case .update(let resolution, let positions):
            "UPDATE \(Self.clause(resolution))\(table) SET \(assignments(positions)) WHERE \(key)"
        case .insertSeveral(let resolution, let rowCount):
            insertion(resolution)
                + repeatElement("," + Self.row(of: names.count), count: rowCount - 1).joined()
        case .upsert:
            upsert(
                target: [],
                updates: (otherPositions.isEmpty ? changingNothing : overwriting(except: []))
                    .joined(separator: ", "))
        case .delete: "DELETE FROM \(table) WHERE \(key)"
        case .exists: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(key))"
        }
    }

    private func insertion(_ resolution: Database.ConflictResolution) -> String {
        let head = "INSERT \(Self.clause(resolution))INTO \(table)"
        if names.isEmpty { return "\(head) DEFAULT VALUES" }
        let columns = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        return "\(head) (\(columns)) VALUES \(Self.row(of: names.count))"
    }

    /// SQL that inserts several rows at once.
    func insertion(_ resolution: Database.ConflictResolution, rowCount: Int) -> String {
        sql(.insertSeveral(resolution, rowCount))
    }

    /// SQL that inserts a row, or updates the one that is in the way.
    ///
    /// - Parameter target: The columns that must be unique; any uniqueness if empty.
    func upsert(target: [String], updates: String) -> String {
        insertion(.abort) + " ON CONFLICT \(Self.target(target))DO UPDATE SET \(updates)"
    }

    /// SQL that inserts a row, unless another is in the way.
    ///
    /// - Parameter target: As for `upsert`.
    func insertionIfAbsent(target: [String]) -> String {
        // SQLite takes no conflict clause after DEFAULT VALUES.
        names.isEmpty
            ? insertion(.ignore)
            : insertion(.abort) + " ON CONFLICT \(Self.target(target))DO NOTHING"
    }

    private static func target(_ columns: [String]) -> String {
        if columns.isEmpty { return "" }
        return "(\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", "))) "
    }

    /// Assignments that overwrite all columns but some, in lower case, and the primary key.
    func overwriting(except names: Set<String>) -> [String] {
        otherPositions.map { self.names[$0] }
            .filter { !names.contains($0.lowercased()) }
            .map { "\($0.quotedDatabaseIdentifier) = \"excluded\".\($0.quotedDatabaseIdentifier)" }
    }

    /// An assignment by which the row becomes the operation's, so that it is returned.
    var changingNothing: [String] {
        (keyNames.first ?? names.first).map {
            ["\($0.quotedDatabaseIdentifier) = \($0.quotedDatabaseIdentifier)"]
        } ?? []
    }

    /// The number of the row, for RETURNING; nil where rows have none.
    var rowIDSelection: String? { hasRowID ? "\"rowid\"" : nil }

    private var key: String { keyNames.map(Self.assignment).joined(separator: " AND ") }

    private func assignments(_ positions: [Int]) -> String {
        positions.map { Self.assignment(names[$0]) }.joined(separator: ", ")
    }

    private static func assignment(_ name: String) -> String {
        "\(name.quotedDatabaseIdentifier)=?"
    }

    private static func row(of count: Int) -> String {
        "(" + repeatElement("?", count: count).joined(separator: ",") + ")"
    }

    private static func clause(_ resolution: Database.ConflictResolution) -> String {
        resolution == .abort ? "" : "OR \(resolution.rawValue) "
    }
}
