/// What tells the part of a database that it is about: requests, tables, regions.
public protocol DatabaseRegionConvertible: Sendable {
    /// The region, found by looking at the database's schema where that is needed.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion { self }
}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
    /// The region of everything, whatever tables there are.
    public static var fullDatabase: Self { DatabaseRegion.fullDatabase }
}

/// What tells a part of a database, whatever it is.
public struct AnyDatabaseRegionConvertible: DatabaseRegionConvertible {
    private let region: @Sendable (Database) throws -> DatabaseRegion

    /// Asks a function for the region.
    ///
    ///     let region = AnyDatabaseRegionConvertible(Player.all())
    public init(_ region: @escaping @Sendable (Database) throws -> DatabaseRegion) {
        self.region = region
    }

    /// Asks something else for the region.
    public init(_ region: some DatabaseRegionConvertible) {
        self.init { try region.databaseRegion($0) }
    }

    public func databaseRegion(_ db: Database) throws -> DatabaseRegion { try region(db) }
}
