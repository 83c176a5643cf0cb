/// What tells the part of a database that it is about: requests, tables, regions.
public protocol DatabaseRegionConvertible: Sendable {
    /// The region, found by looking at the database's schema where that is needed.
    func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion { self }
}
