import Strongroom

// The rows of the catalog's tables.

/// Where a package belongs, as Debian sorts them.
struct SectionRecord: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "section"

    var id: Int64?
    var name: String

    static let packages = hasMany(PackageRecord.self)

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
    }
}

/// Who looks after packages.
struct MaintainerRecord: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "maintainer"

    var id: Int64?
    var name: String
    var address: String

    static let packages = hasMany(PackageRecord.self)

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
    }
}

/// One time that the catalog was brought up to date.
struct ImportRecord: Codable, MutablePersistableRecord {
    static let databaseTableName = "import"

    var id: Int64?
    var source: String
    var packageCount: Int?

    enum Columns {
        static let packageCount = Column(CodingKeys.packageCount)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

/// An installed package.
struct PackageRecord: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "package"

    var id: Int64?
    var name: String
    var architecture: String
    var version: String
    var sectionID: Int64?
    var maintainerID: Int64?
    /// In bytes.
    var installedSize: Int64?
    var summary: String?
    var description: String?
    var homepage: String?
    /// The last import that saw it.
    var importID: Int64

    static let section = belongsTo(SectionRecord.self)
    static let maintainer = belongsTo(MaintainerRecord.self)
    static let dependencies = hasMany(DependencyRecord.self)
        .order { [$0.requirement, $0.alternative] }
    static let provisions = hasMany(ProvisionRecord.self).order(\.name)
    static let words = hasOne(
        PackageWords.self, using: ForeignKey([Column.rowID], to: [Columns.id]))

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
        static let version = Column(CodingKeys.version)
        static let architecture = Column(CodingKeys.architecture)
        static let sectionID = Column(CodingKeys.sectionID)
        static let maintainerID = Column(CodingKeys.maintainerID)
        static let summary = Column(CodingKeys.summary)
        static let installedSize = Column(CodingKeys.installedSize)
        static let importID = Column(CodingKeys.importID)
    }
}

/// One of the packages that would do for what a package asks for.
struct DependencyRecord: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "dependency"

    var packageID: Int64
    var requirement: Int
    var alternative: Int
    var kind: Requirement.Kind
    var name: String
    var architecture: String?
    var comparison: PackageRelation.Comparison?
    var version: String?

    /// The package that asks.
    static let package = belongsTo(PackageRecord.self)

    enum Columns {
        static let requirement = Column(CodingKeys.requirement)
        static let alternative = Column(CodingKeys.alternative)
        static let kind = Column(CodingKeys.kind)
        static let name = Column(CodingKeys.name)
        static let architecture = Column(CodingKeys.architecture)
        static let comparison = Column(CodingKeys.comparison)
        static let version = Column(CodingKeys.version)
    }
}

/// A virtual package that a package stands for.
struct ProvisionRecord: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "provision"

    var packageID: Int64
    var name: String

    enum Columns {
        static let name = Column(CodingKeys.name)
    }
}

/// A name by which others may ask for a package: its own, or one that it provides.
struct ProviderRecord: TableRecord {
    static let databaseTableName = "provider"

    static let package = belongsTo(
        PackageRecord.self, using: ForeignKey([Columns.packageID]))

    enum Columns {
        static let name = Column("name")
        static let packageID = Column("packageID")
    }
}

/// The words by which a package is found: an index of its name, summary and description.
struct PackageWords: TableRecord {
    static let databaseTableName = "packageWords"
}
