import Strongroom

/// Writes packages into the catalog, inside of a transaction.
struct PackageImporter {
    private let db: Database
    private let importID: Int64
    private var report = ImportReport()
    private var sectionIDs: [String: Int64] = [:]

    init(_ db: Database, source: String) throws {
        self.db = db
        importID = try ImportRecord(source: source).inserted(db).id ?? 0
    }

    /// Adds the package, or updates the one that has the same name and architecture.
    mutating func save(_ package: Package) throws {
        let earlier = try PackageRecord.fetchOne(
            db, key: ["name": package.name, "architecture": package.architecture])
        switch earlier?.version {
        case nil: report.added += 1
        case package.version: report.unchanged += 1
        default: report.upgraded += 1
        }
        var record = try record(of: package)
        record.id = earlier?.id
        let saved = try record.saveAndFetch(db)
        try saveRelations(of: package, saved)
    }

    /// How many packages it has saved.
    var packageCount: Int { report.packageCount }

    /// Removes what this import has not seen.
    mutating func finish() throws -> ImportReport {
        report.removed = try PackageRecord.filter { $0.importID != importID }.deleteAll(db)
        try SectionRecord.filter(!SectionRecord.packages.exists).deleteAll(db)
        try MaintainerRecord.filter(!MaintainerRecord.packages.exists).deleteAll(db)
        try ImportRecord.filter(key: importID)
            .updateAll(db) { $0.packageCount.set(to: report.packageCount) }
        return report
    }

    private mutating func record(of package: Package) throws -> PackageRecord {
        PackageRecord(
            name: package.name, architecture: package.architecture, version: package.version,
            sectionID: try package.section.map { try sectionID($0) },
            maintainerID: try package.maintainer.map { try maintainerID($0) },
            installedSize: package.installedSize, summary: package.summary,
            description: package.description, homepage: package.homepage, importID: importID)
    }

    private func saveRelations(of package: Package, _ record: PackageRecord) throws {
        guard let id = record.id else { return }
        try record.request(for: PackageRecord.dependencies).deleteAll(db)
        try record.request(for: PackageRecord.provisions).deleteAll(db)
        let dependencies = package.requirements.enumerated().flatMap { index, requirement in
            requirement.alternatives.enumerated().map { alternative, relation in
                DependencyRecord(
                    packageID: id, requirement: index, alternative: alternative,
                    kind: requirement.kind, name: relation.name,
                    architecture: relation.architecture, comparison: relation.bound?.comparison,
                    version: relation.bound?.version)
            }
        }
        try DependencyRecord.insertAll(db, dependencies)
        try ProvisionRecord.insertAll(
            db, package.provides.map { ProvisionRecord(packageID: id, name: $0) },
            onConflict: .ignore)
    }

    private mutating func sectionID(_ name: String) throws -> Int64 {
        if let id = sectionIDs[name] { return id }
        var record = SectionRecord(name: name)
        let id = try record.upsertAndFetch(db, onConflict: ["name"]).id ?? 0
        sectionIDs[name] = id
        return id
    }

    private func maintainerID(_ maintainer: Maintainer) throws -> Int64 {
        var record = MaintainerRecord(name: maintainer.name, address: maintainer.address)
        return try record.upsertAndFetch(db, onConflict: ["name", "address"]).id ?? 0
    }
}
