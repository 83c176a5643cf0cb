import Strongroom

/// The tables of the catalog.
enum Schema {
    /// The database holds something else, or comes from a later version of this program.
    struct UnknownSchemaError: Error, CustomStringConvertible {
        var description: String { "the database exists already and is not a package catalog" }
    }

    private static let applicationID = 0x5043_4154  // "PCAT"
    private static let version = 1

    /// Creates the tables in an empty database; one that has them already stays as it is.
    static func create(in db: Database) throws {
        let request: SQLRequest<(Int, Int, Bool)> = """
            SELECT application_id, user_version, NOT EXISTS (SELECT * FROM sqlite_master)
            FROM pragma_application_id, pragma_user_version
            """
        guard let (applicationID, version, isEmpty) = try request.fetchOne(db) else { return }
        if applicationID == Self.applicationID, version == Self.version { return }
        guard isEmpty, applicationID == 0, version == 0 else { throw UnknownSchemaError() }
        try db.execute(sql: tables)
        try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(Self.version)")
    }

    private static let tables = """
        CREATE TABLE section (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE maintainer (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            UNIQUE (name, address)
        ) STRICT;

        -- Each time that the catalog was brought up to date.
        CREATE TABLE import (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            date TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
            packageCount INTEGER CHECK (packageCount >= 0)
        ) STRICT;

        CREATE TABLE package (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            architecture TEXT NOT NULL,
            version TEXT NOT NULL,
            sectionID INTEGER REFERENCES section (id),
            maintainerID INTEGER REFERENCES maintainer (id),
            installedSize INTEGER CHECK (installedSize >= 0), -- bytes
            summary TEXT,
            homepage TEXT,
            importID INTEGER NOT NULL REFERENCES import (id), -- the last one that saw it
            UNIQUE (name, architecture)
        ) STRICT;

        CREATE INDEX packageOnSection ON package (sectionID);
        CREATE INDEX packageOnMaintainer ON package (maintainerID);
        CREATE INDEX packageOnInstalledSize ON package (installedSize);
        CREATE INDEX packageOnImport ON package (importID);

        -- "Depends: a (>= 1) | b, c" has the requirements 0 and 1, and the first has
        -- the alternatives 0 and 1.
        CREATE TABLE dependency (
            packageID INTEGER NOT NULL REFERENCES package (id) ON DELETE CASCADE,
            requirement INTEGER NOT NULL,
            alternative INTEGER NOT NULL,
            kind TEXT NOT NULL
                CHECK (kind IN ('Pre-Depends', 'Depends', 'Recommends', 'Suggests')),
            name TEXT NOT NULL,
            architecture TEXT,
            comparison TEXT CHECK (comparison IN ('<<', '<=', '=', '>=', '>>')),
            version TEXT,
            PRIMARY KEY (packageID, requirement, alternative),
            CHECK ((comparison IS NULL) = (version IS NULL))
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX dependencyOnName ON dependency (name);

        -- The virtual packages that a package stands for.
        CREATE TABLE provision (
            packageID INTEGER NOT NULL REFERENCES package (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            PRIMARY KEY (packageID, name)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX provisionOnName ON provision (name);

        -- Whoever names a package may mean the package itself or one that stands for it.
        CREATE VIEW provider AS
            SELECT name, id AS packageID FROM package
            UNION
            SELECT name, packageID FROM provision;
        """
}
