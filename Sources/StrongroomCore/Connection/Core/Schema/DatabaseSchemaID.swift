/// One of a connection's databases: its own, the temporary one, or an attached one.
///
/// <https://www.sqlite.org/lang_naming.html>
public struct DatabaseSchemaID: Hashable, Sendable {
    /// The name of the schema: `main`, `temp`, or the one it was attached under.
    public let name: String

    /// The database that the connection was opened with.
    public static let main = DatabaseSchemaID(name: "main")

    /// The database of temporary tables.
    public static let temp = DatabaseSchemaID(name: "temp")

    /// A database that was attached under a name.
    public static func attached(_ name: String) -> DatabaseSchemaID {
        DatabaseSchemaID(name: name)
    }

    /// The table that lists the objects of the schema, in SQL: `x.sqlite_master`.
    ///
    /// <https://www.sqlite.org/schematab.html>
    public var schemaTableName: String {
        switch self {
        case .main: "sqlite_master"
        case .temp: "sqlite_temp_master"
        default: "\(name.plainOrQuotedName).sqlite_master"
        }
    }
}

/// A table, view, index or trigger: its name and where it is.
public struct DatabaseObjectID: Hashable, Sendable {
    /// The name, without quotes.
    public var name: String

    /// The schema that holds the object.
    public var schemaID: DatabaseSchemaID

    /// Names an object, which need not exist.
    public init(name: String, schemaID: DatabaseSchemaID) {
        self.name = name
        self.schemaID = schemaID
    }
}
