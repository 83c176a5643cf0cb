/// A type that has a database region: requests, tables, regions.
public protocol DatabaseRegionConvertible: Sendable {
    /// The region, which may depend on the database's schema.
    ///
    /// - Throws: `DatabaseError` if the SQL cannot be generated, or does not compile.
    func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion { self }
}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
    /// The region of the whole database.
    public static var fullDatabase: Self { DatabaseRegion.fullDatabase }
}

/// A type-erased value with a database region.
public struct AnyDatabaseRegionConvertible: DatabaseRegionConvertible {
    private let region: @Sendable (Database) throws -> DatabaseRegion

    /// Gets the region from a function.
    ///
    ///     let region = AnyDatabaseRegionConvertible(Player.all())
    public init(_ region: @escaping @Sendable (Database) throws -> DatabaseRegion) {
        self.region = region
    }

    /// Gets the region from another value.
    public init(_ region: some DatabaseRegionConvertible) {
        self.init { try region.databaseRegion($0) }
    }

    public func databaseRegion(_ db: Database) throws -> DatabaseRegion { try region(db) }
}
