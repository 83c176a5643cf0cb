import Strongroom

/// The questions that the catalog answers. Each of them reads once, and returns plain values.
extension Catalog {
    func totals() throws -> Totals? {
        try first(
            """
            SELECT
                (SELECT COUNT(*) FROM package) AS packageCount,
                (SELECT COUNT(*) FROM dependency) AS dependencyCount,
                (SELECT COUNT(*) FROM section) AS sectionCount,
                (SELECT COUNT(*) FROM maintainer) AS maintainerCount,
                (SELECT IFNULL(SUM(installedSize), 0) FROM package) AS installedSize
            """
        )
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
                .about(words)
                .limit(limit)
                .select(as: FoundPackage.self) { [$0.name, $0.summary] }
                .fetchAll(db)
        }
    }

    func largestSections(limit: Int) throws -> [GroupSize] {
        try largestGroups(of: "section", key: "sectionID", limit: limit)
    }

    func busiestMaintainers(limit: Int) throws -> [GroupSize] {
        try largestGroups(of: "maintainer", key: "maintainerID", limit: limit)
    }

    private func largestGroups(of table: String, key: String, limit: Int) throws -> [GroupSize] {
        try all(
            """
            SELECT parent.name, \(Self.size)
            FROM \(identifier: table) AS parent
            JOIN package ON package.\(identifier: key) = parent.id
            GROUP BY parent.id
            ORDER BY packageCount DESC, parent.name
            LIMIT \(limit)
            """
        )
    }

    /// The packages that ask for a package, installed or not, or for something that it provides.
    func dependants(of name: String) throws -> [Dependant] {
        try all(
            """
            SELECT DISTINCT
                package.name,
                dependency.kind,
                dependency.name
                    || IFNULL(':' || dependency.architecture, '')
                    || IFNULL(' (' || comparison || ' ' || dependency.version || ')', '')
                    AS requirement
            FROM dependency
            JOIN package ON package.id = dependency.packageID
            WHERE dependency.name = \(name) OR dependency.name IN (
                SELECT provider.name
                FROM provider JOIN package ON package.id = provider.packageID
                WHERE package.name = \(name))
            ORDER BY kind, package.name, requirement
            """
        )
    }

    /// A package together with everything that it cannot do without, directly or not.
    func footprint(of name: String) throws -> GroupSize? {
        let kinds: [Requirement.Kind] = [.preDepends, .depends]
        return try first(
            """
            WITH RECURSIVE needed (id) AS (
                SELECT id FROM package WHERE name = \(name)
                UNION
                SELECT provider.packageID
                FROM needed
                JOIN dependency ON dependency.packageID = needed.id
                JOIN provider ON provider.name = dependency.name
                WHERE dependency.kind IN \(kinds)
            )
            SELECT \(name) AS name, \(Self.size)
            FROM package WHERE id IN needed
            HAVING packageCount > 0
            """
        )
    }

    /// How many packages there are in a group, and how large they are.
    private static let size: SQL = """
        COUNT(*) AS packageCount, IFNULL(SUM(installedSize), 0) AS installedSize
        """

    private func all<Record: FetchableRecord>(_ request: SQLRequest<Record>) throws -> [Record] {
        try database.read { try request.fetchAll($0) }
    }

    private func first<Record: FetchableRecord>(
        _ request: SQLRequest<Record>
    ) throws -> Record? {
        try database.read { try request.fetchOne($0) }
    }
}
