import Strongroom

/// A package that asks for another one.
struct Dependant: Equatable {
    var name: String
    /// How strongly it asks.
    var kind: Requirement.Kind
    /// What it asks for, such as `libc6 (>= 2.36)`.
    var requirement: String
}

extension Dependant: FetchableRecord {
    /// The column of its own name: `name` is that of what it asks for.
    static let nameKey = "dependant"

    init(row: Row) throws {
        name = row[Self.nameKey]
        kind = row[DependencyRecord.Columns.kind]
        requirement = PackageRelation(row).description
    }
}

extension PackageRelation {
    /// What a row of dependencies asks for.
    init(_ row: Row) {
        self.init(
            name: row[DependencyRecord.Columns.name],
            architecture: row[DependencyRecord.Columns.architecture],
            comparison: row[DependencyRecord.Columns.comparison],
            version: row[DependencyRecord.Columns.version])
    }

    /// What a record of dependencies asks for.
    init(_ record: DependencyRecord) {
        self.init(
            name: record.name, architecture: record.architecture,
            comparison: record.comparison, version: record.version)
    }

    private init(name: String, architecture: String?, comparison: Comparison?, version: String?) {
        self.init(name: name, architecture: architecture)
        if let comparison, let version {
            bound = VersionBound(comparison: comparison, version: version)
        }
    }
}
