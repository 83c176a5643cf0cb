import Strongroom

/// Writes packages into the catalog, inside of a transaction.
///
/// The connection keeps its statements: each is compiled once, however many packages there are.
struct PackageImporter {
    private let db: Database
    private let importID: Int64
    private var report = ImportReport()
    private var sectionIDs: [String: Int64] = [:]

    init(_ db: Database, source: String) throws {
        self.db = db
        try db.execute(literal: "INSERT INTO import (source) VALUES (\(source))")
        importID = db.lastInsertedRowID
    }

    /// Adds the package, or updates the one that has the same name and architecture.
    mutating func save(_ package: Package) throws {
        try count(package)
        let id = try upsert(package)
        try saveRequirements(of: package, id: id)
        try saveProvisions(of: package, id: id)
    }

    /// Removes what this import has not seen.
    mutating func finish() throws -> ImportReport {
        try db.execute(literal: "DELETE FROM package WHERE importID <> \(importID)")
        report.removed = db.changesCount
        try db.execute(
            literal: """
                DELETE FROM section
                WHERE NOT EXISTS (SELECT * FROM package WHERE sectionID = section.id);
                DELETE FROM maintainer
                WHERE NOT EXISTS (SELECT * FROM package WHERE maintainerID = maintainer.id);
                UPDATE import SET packageCount = \(report.packageCount) WHERE id = \(importID);
                """)
        return report
    }

    private mutating func count(_ package: Package) throws {
        let version: SQLRequest<String> = """
            SELECT version FROM package
            WHERE name = \(package.name) AND architecture = \(package.architecture)
            """
        switch try version.fetchOne(db) {
        case nil: report.added += 1
        case package.version: report.unchanged += 1
        default: report.upgraded += 1
        }
    }

    private mutating func upsert(_ package: Package) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO package (
                    name, architecture, version, sectionID, maintainerID,
                    installedSize, summary, homepage, importID)
                VALUES (
                    :name, :architecture, :version, :sectionID, :maintainerID,
                    :installedSize, :summary, :homepage, :importID)
                ON CONFLICT (name, architecture) DO UPDATE SET
                    version = excluded.version,
                    sectionID = excluded.sectionID,
                    maintainerID = excluded.maintainerID,
                    installedSize = excluded.installedSize,
                    summary = excluded.summary,
                    homepage = excluded.homepage,
                    importID = excluded.importID
                RETURNING id
                """)
        return try returnedID(
            statement,
            [
                "name": package.name,
                "architecture": package.architecture,
                "version": package.version,
                "sectionID": package.section.map { try sectionID($0) },
                "maintainerID": package.maintainer.map { try maintainerID($0) },
                "installedSize": package.installedSize,
                "summary": package.summary,
                "homepage": package.homepage,
                "importID": importID,
            ])
    }

    private func saveRequirements(of package: Package, id: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM dependency WHERE packageID = ?")
            .execute(arguments: [id])
        let insertion = try db.cachedStatement(
            sql: "INSERT INTO dependency VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for (index, requirement) in package.requirements.enumerated() {
            for (alternative, relation) in requirement.alternatives.enumerated() {
                try insertion.execute(arguments: [
                    id, index, alternative, requirement.kind,
                    relation.name, relation.architecture,
                    relation.bound?.comparison, relation.bound?.version,
                ])
            }
        }
    }

    private func saveProvisions(of package: Package, id: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM provision WHERE packageID = ?")
            .execute(arguments: [id])
        let insertion = try db.cachedStatement(sql: "INSERT OR IGNORE INTO provision VALUES (?, ?)")
        for name in package.provides {
            try insertion.execute(arguments: [id, name])
        }
    }

    private mutating func sectionID(_ name: String) throws -> Int64 {
        if let id = sectionIDs[name] { return id }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO section (name) VALUES (?)
                ON CONFLICT (name) DO UPDATE SET name = name
                RETURNING id
                """)
        let id = try returnedID(statement, [name])
        sectionIDs[name] = id
        return id
    }

    private func maintainerID(_ maintainer: Maintainer) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO maintainer (name, address) VALUES (?, ?)
                ON CONFLICT (name, address) DO UPDATE SET name = name
                RETURNING id
                """)
        return try returnedID(statement, [maintainer.name, maintainer.address])
    }

    private func returnedID(_ statement: Statement, _ arguments: StatementArguments) throws -> Int64
    {
        guard let id = try Int64.fetchOne(statement, arguments: arguments) else {
            throw DatabaseError(message: "an upsert that returns no row")
        }
        return id
    }
}
