import Strongroom

/// The questions that the catalog answers. Each of them reads once, and returns plain values.
extension Catalog {
    func totals() throws -> Totals {
        try database.read(Totals.init)
    }

    func largestPackages(limit: Int) throws -> [PackageSize] {
        try database.read { db in
            try PackageRecord
                .filter { $0.installedSize != nil }
                .order { [$0.installedSize.desc, $0.name] }
                .limit(limit)
                .select(as: PackageSize.self) { [$0.name, $0.version, $0.installedSize] }
                .fetchAll(db)
        }
    }

    func packages(about words: String, limit: Int) throws -> [FoundPackage] {
        try database.read { db in
            try PackageRecord.all()
                .about(words, in: db)
                .limit(limit)
                .select(as: FoundPackage.self) { [$0.name, $0.summary] }
                .fetchAll(db)
        }
    }

    /// All that is known of a package, once for each architecture of which it is installed.
    func details(of name: String) throws -> [PackageDetails] {
        try database.read { db in
            try PackageRecord
                .filter { $0.name == name }
                .order(\.architecture)
                .including(optional: PackageRecord.section)
                .including(optional: PackageRecord.maintainer)
                .including(all: PackageRecord.dependencies)
                .including(all: PackageRecord.provisions)
                .asRequest(of: PackageDetails.self)
                .fetchAll(db)
        }
    }

    func largestSections(limit: Int) throws -> [GroupSize] {
        try database.read { db in
            try SectionRecord
                .select(\.name)
                .annotated(with: GroupSize.of(SectionRecord.packages))
                .order(GroupSize.packageCount.desc, SectionRecord.Columns.name)
                .limit(limit)
                .asRequest(of: GroupSize.self)
                .fetchAll(db)
        }
    }

    func busiestMaintainers(limit: Int) throws -> [GroupSize] {
        try database.read { db in
            try MaintainerRecord
                .select(\.name)
                .annotated(with: GroupSize.of(MaintainerRecord.packages))
                .order(GroupSize.packageCount.desc, MaintainerRecord.Columns.name)
                .limit(limit)
                .asRequest(of: GroupSize.self)
                .fetchAll(db)
        }
    }

    /// The packages that ask for a package, installed or not, or for something that it provides.
    func dependants(of name: String) throws -> [Dependant] {
        let names =
            ProviderRecord
            .joining(required: ProviderRecord.package.filter { $0.name == name })
            .select(\.name)
        let asking = TableAlias<PackageRecord>()
        return try database.read { db in
            try DependencyRecord
                .filter { $0.name == name || names.contains($0.name) }
                .joining(required: DependencyRecord.package.aliased(asking))
                .select { [$0.kind, $0.name, $0.architecture, $0.comparison, $0.version] }
                .annotated(with: asking.name.forKey(Dependant.nameKey))
                .distinct()
                .order { [$0.kind, asking.name, $0.name, $0.architecture, $0.version] }
                .asRequest(of: Dependant.self)
                .fetchAll(db)
        }
    }

    /// A package together with everything that it cannot do without, directly or not.
    func footprint(of name: String) throws -> GroupSize? {
        let itself = PackageRecord.filter { $0.name == name }.select(\.id)
        let kinds: [Requirement.Kind] = [.preDepends, .depends]
        // What refers to itself is written in SQL.
        let needed = CommonTableExpression(
            recursive: true, named: "needed", columns: ["id"],
            literal: """
                \(itself)
                UNION
                SELECT provider.packageID
                FROM needed
                JOIN dependency ON dependency.packageID = needed.id
                JOIN provider ON provider.name = dependency.name
                WHERE dependency.kind IN \(kinds)
                """)
        let packages = PackageRecord.with(needed).filter { needed.contains($0.id) }
        return try database.read { db in
            let count = try packages.fetchCount(db)
            guard count > 0 else { return nil }
            return GroupSize(
                name: name, packageCount: count, installedSize: try packages.installedSize(db))
        }
    }
}

extension QueryInterfaceRequest<PackageRecord> {
    /// How many bytes the packages take together.
    func installedSize(_ db: Database) throws -> Int64 {
        try select(as: Int64.self) { [sum($0.installedSize) ?? 0] }.fetchOne(db) ?? 0
    }
}
