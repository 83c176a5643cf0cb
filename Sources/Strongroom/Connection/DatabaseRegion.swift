/// Tables and columns of a database, as something that may be read or observed.
///
/// A region tells what may change a result, never less; it may tell more: tables of one name in the
/// main, the temporary and attached databases are one.
public struct DatabaseRegion: Equatable, Sendable {
    /// The columns of each table, both under their names in lower case; nil for the whole database.
    private var tables: [String: Columns]?

    private enum Columns: Equatable {
        case all
        /// The names in lower case, with the names to show.
        case some([String: String])

        func union(_ other: Columns) -> Columns {
            guard case .some(let names) = self, case .some(let otherNames) = other else {
                return .all
            }
            return .some(names.merging(otherNames) { name, _ in name })
        }

        static func == (lhs: Columns, rhs: Columns) -> Bool {
            switch (lhs, rhs) {
            case (.all, .all): true
            case (.some(let lhs), .some(let rhs)): lhs.keys == rhs.keys
            default: false
            }
        }
    }

    /// The names of tables to show, by their names in lower case.
    private var tableNames: [String: String] = [:]

    /// The region of everything, whatever tables there are.
    public static let fullDatabase = DatabaseRegion(tables: nil)

    /// The empty region.
    public init() {
        self.init(tables: [:])
    }

    private init(tables: [String: Columns]?) {
        self.tables = tables
    }

    /// The region of a table: of some columns, or of all when there is nil.
    package init(table: String, columns: Set<String>? = nil) {
        let names = columns.map { columns in
            Dictionary(columns.map { ($0.lowercased(), $0) }, uniquingKeysWith: { name, _ in name })
        }
        tables = [table.lowercased(): names.map(Columns.some) ?? .all]
        tableNames = [table.lowercased(): table]
    }

    /// Whether nothing is in the region.
    public var isEmpty: Bool { tables?.isEmpty ?? false }

    /// Whether everything is in the region.
    public var isFullDatabase: Bool { tables == nil }

    /// The region of what is in either.
    public func union(_ other: DatabaseRegion) -> DatabaseRegion {
        var region = self
        region.formUnion(other)
        return region
    }

    /// Adds what is in another region.
    public mutating func formUnion(_ other: DatabaseRegion) {
        guard let tables, let otherTables = other.tables else {
            self = .fullDatabase
            return
        }
        self.tables = tables.merging(otherTables) { $0.union($1) }
        tableNames.merge(other.tableNames) { name, _ in name }
    }

    public static func == (lhs: DatabaseRegion, rhs: DatabaseRegion) -> Bool {
        lhs.tables == rhs.tables
    }
}

extension DatabaseRegion: CustomStringConvertible {
    /// `empty`, `full database`, or the tables with their columns: `player(*),team(id,name)`.
    public var description: String {
        guard let tables else { return "full database" }
        if tables.isEmpty { return "empty" }
        return tables.sorted { $0.key < $1.key }.map { key, columns in
            let name = tableNames[key] ?? key
            guard case .some(let names) = columns else { return "\(name)(*)" }
            return "\(name)(\(names.values.sorted().joined(separator: ",")))"
        }.joined(separator: ",")
    }
}
