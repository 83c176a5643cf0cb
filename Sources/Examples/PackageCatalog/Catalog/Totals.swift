import Strongroom

/// How much there is in the whole catalog.
struct Totals: Equatable, Encodable {
    var packageCount: Int
    var dependencyCount: Int
    var sectionCount: Int
    var maintainerCount: Int
    /// In bytes.
    var installedSize: Int64
}

extension Totals {
    @Sendable init(_ db: Database) throws {
        packageCount = try PackageRecord.fetchCount(db)
        dependencyCount = try DependencyRecord.fetchCount(db)
        sectionCount = try SectionRecord.fetchCount(db)
        maintainerCount = try MaintainerRecord.fetchCount(db)
        installedSize = try PackageRecord.all().installedSize(db)
    }
}
