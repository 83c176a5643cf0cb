/// Tables, columns and rows of a database that can be read or observed.
///
/// A region contains at least everything that can change a result. It can contain more: tables with
/// the same name in the main, temporary and attached databases count as one.
public struct DatabaseRegion: Equatable, Sendable {
    /// What is in the region of each table, by its name in lower case; nil for the whole database.
    private(set) var tables: [String: TableRegion]?

    /// The names of tables to show, by their names in lower case.
    private var tableNames: [String: String] = [:]

    /// The region of the whole database, except tables whose names begin with `strongroom_`.
    public static let fullDatabase = DatabaseRegion(tables: nil)

    /// The empty region.
    ///
    ///     let everything = DatabaseRegion.fullDatabase, nothing = DatabaseRegion()
    public init() {
        self.init(tables: [:])
    }

    private init(tables: [String: TableRegion]?) {
        self.tables = tables
    }

    /// The region of a table: of some columns and rows, or of all where there is nil.
    package init(table: String, columns: Set<String>? = nil, rowIDs: Set<Int64>? = nil) {
        let isEmpty = rowIDs?.isEmpty == true
        let region = TableRegion(columns: columns, rowIDs: rowIDs)
        tables = isEmpty ? [:] : [table.lowercased(): region]
        tableNames = [table.lowercased(): table]
    }

    /// Whether nothing is in the region.
    public var isEmpty: Bool { tables?.isEmpty ?? false }

    /// Whether everything is in the region.
    public var isFullDatabase: Bool { tables == nil }

    /// The union of two regions.
    ///
    ///     let both = try Player.all().databaseRegion(db).union(Team.all().databaseRegion(db))
    public func union(_ other: DatabaseRegion) -> DatabaseRegion {
        var region = self
        region.formUnion(other)
        return region
    }

    /// Adds another region.
    ///
    ///     var region = try Player.all().databaseRegion(db)
    ///     try region.formUnion(Team.all().databaseRegion(db))
    public mutating func formUnion(_ other: DatabaseRegion) {
        // Mostly one statement is all that is read, and then it stays the very same region.
        if isEmpty, !other.isEmpty {
            self = other
            return
        }
        guard let tables, let otherTables = other.tables else {
            self = .fullDatabase
            return
        }
        self.tables = tables.merging(otherTables) { $0.union($1) }
        tableNames.merge(other.tableNames) { name, _ in name }
    }

    /// The same region, but for a table of which only some rows are in it.
    package func limited(toRows rowIDs: Set<Int64>, of table: String) -> DatabaseRegion {
        let key = table.lowercased()
        guard var tables, let region = tables[key] else { return self }
        tables[key] = rowIDs.isEmpty ? nil : region.limited(toRows: rowIDs)
        var result = self
        result.tables = tables
        return result
    }

    public static func == (lhs: DatabaseRegion, rhs: DatabaseRegion) -> Bool {
        lhs.tables == rhs.tables
    }
}

// MARK: - What changes it

extension DatabaseRegion {
    /// Whether events of a kind can change the region.
    public func isModified(byEventsOfKind kind: DatabaseEventKind) -> Bool {
        guard let tables else { return !Database.isStrongroomInternalTable(kind.tableName) }
        guard let region = tables[kind.tableName.lowercased()] else { return false }
        guard case .update(_, let columnNames) = kind else { return true }
        return region.contains(anyColumnOf: columnNames)
    }

    /// Whether an event changes the region.
    ///
    /// Pass only events that the observer observes, by `isModified(byEventsOfKind:)`, because an
    /// event does not contain its columns.
    public func isModified(by event: DatabaseEvent) -> Bool {
        guard let tables else { return !Database.isStrongroomInternalTable(event.tableName) }
        guard let region = tables[event.tableName.lowercased()] else { return false }
        guard let rowIDs = region.rowIDs, !event.mayChangeRowID else { return true }
        return rowIDs.contains(event.rowID)
    }

    /// Whether a change of another region may change what is in this one. That of everything is
    /// changed by no table of the reserved prefix, but a change of everything is one of all tables.
    package func overlaps(_ other: DatabaseRegion) -> Bool {
        guard let tables else { return other.hasTableOfTheApp }
        guard let otherTables = other.tables else { return !isEmpty }
        return tables.contains { name, region in
            otherTables[name].map { region.overlaps($0) } ?? false
        }
    }

    /// Whether it has a table that belongs to the region of everything.
    private var hasTableOfTheApp: Bool {
        tables?.keys.contains { !Database.isStrongroomInternalTable($0) } ?? true
    }

    /// Its tables, each with those of its columns that are in the region, or nil for all; nil for the
    /// whole database.
    var namedTables: [(name: String, columns: Set<String>?)]? {
        tables?.map { key, region in
            (tableNames[key] ?? key, region.columns.map { Set($0.values) })
        }
    }
}

extension DatabaseRegion: CustomStringConvertible {
    /// `empty`, `full database`, or the tables with their columns: `player(*),team(id,name)[1,3]`.
    public var description: String {
        guard let tables else { return "full database" }
        if tables.isEmpty { return "empty" }
        return tables.sorted { $0.key < $1.key }.map { key, region in
            let columns = region.columns?.values.sorted().joined(separator: ",") ?? "*"
            let rows = region.rowIDs.map { rowIDs in
                "[\(rowIDs.sorted().map(String.init).joined(separator: ","))]"
            }
            return "\(tableNames[key] ?? key)(\(columns))\(rows ?? "")"
        }.joined(separator: ",")
    }
}
