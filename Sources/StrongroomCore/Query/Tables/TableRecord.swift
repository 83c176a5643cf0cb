/// A type that stands for a table: its name, and what a request for it selects.
///
///     struct Player: TableRecord {
///         static var databaseTableName: String { "player" }
///
///         enum Columns {
///             static let name = Column("name")
///             static let score = Column("score")
///         }
///     }
///
///     // SELECT * FROM "player" WHERE "score" > 1000
///     let request = Player.filter { $0.score > 1000 }
///
/// The table may be a view, or a virtual table.
public protocol TableRecord: GRDBSendableMetatype {
    /// Where the columns of the table are declared, if anywhere: a nested enum as a rule.
    associatedtype Columns = Never

    /// The type of what closures of requests get: the type of `Columns`, unless declared otherwise.
    associatedtype DatabaseComponents = Self.Columns.Type

    /// The table's name, without quotes.
    ///
    /// By default the type's name with its first word in lower case: `player` for `Player`,
    /// `httpRequest` for `HTTPRequest`. Generic arguments do not count.
    static var databaseTableName: String { get }

    /// What requests select; all columns by default.
    ///
    /// Declare it as a computed property of exactly this type, or it is not heeded:
    ///
    ///     static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
    static var databaseSelection: [any SQLSelectable] { get }

    /// What closures of requests get: `$0` in `Player.filter { $0.score > 1000 }`.
    static var databaseComponents: DatabaseComponents { get }

    /// What happens to rows that break a constraint when many are updated. Not to be customised.
    static var _updateConflictResolution: Database.ConflictResolution? { get }
}

extension TableRecord {
    public static var databaseTableName: String { DefaultTableName.of(Self.self) }

    public static var databaseSelection: [any SQLSelectable] { [.allColumns] }

    public static var _updateConflictResolution: Database.ConflictResolution? { nil }
}

/// A type that chooses the form in which the keys of its rows are stored.
public protocol _KeyEncoding: GRDBSendableMetatype {
    /// What the database stores for a value of the primary key. Not to be customised.
    static func _databaseValue(
        ofKey key: any DatabaseValueConvertible & Sendable, in column: String
    ) throws -> DatabaseValue
}

extension TableRecord where DatabaseComponents == Columns.Type {
    /// The type `Columns`.
    public static var databaseComponents: DatabaseComponents { Columns.self }
}
