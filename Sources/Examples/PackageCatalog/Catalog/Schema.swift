import Strongroom

/// The tables of the catalog, as they came to be.
enum Schema {
    /// The database holds something else, or comes from a later version of this program.
    struct UnknownSchemaError: Error, CustomStringConvertible {
        var description: String { "the database exists already and is not a package catalog" }
    }

    private static let applicationID = 0x5043_4154  // "PCAT"

    /// Brings the tables of a new or an earlier catalog up to date.
    static func migrate(_ database: DatabaseQueue) throws {
        let isKnown = try database.read { db in
            let id = try Int.fetchOne(db, sql: "PRAGMA application_id")
            // Another process may be about to create the catalog, too: it begins with this table.
            let isEmpty = try Table("sqlite_master")
                .filter(Column("tbl_name") != "grdb_migrations").isEmpty(db)
            return try (id == applicationID || (id == 0 && isEmpty))
                && !migrator.hasBeenSuperseded(db)
        }
        guard isKnown else { throw UnknownSchemaError() }
        try migrator.migrate(database)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("packages") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try createOrigins(in: db)
            try createPackages(in: db)
            try createRelations(in: db)
        }
        migrator.registerMigration("descriptions") { db in
            try db.alter(table: "package") { t in
                t.add(column: "description", .text)
            }
            try createWords(in: db)
        }
        return migrator
    }

    private static func createOrigins(in db: Database) throws {
        try db.create(table: "section", options: .strict) { t in
            t.primaryKey("id", .integer)
            t.column("name", .text).notNull().unique()
        }
        try db.create(table: "maintainer", options: .strict) { t in
            t.primaryKey("id", .integer)
            t.column("name", .text).notNull()
            t.column("address", .text).notNull()
            t.uniqueKey(["name", "address"])
        }
        // Each time that the catalog was brought up to date.
        try db.create(table: "import", options: .strict) { t in
            t.primaryKey("id", .integer)
            t.column("source", .text).notNull()
            t.column("date", .text).notNull().defaults(sql: "CURRENT_TIMESTAMP")
            t.column("packageCount", .integer).check { $0 >= 0 }
        }
    }

    private static func createPackages(in db: Database) throws {
        try db.create(table: "package", options: .strict) { t in
            t.primaryKey("id", .integer)
            t.column("name", .text).notNull()
            t.column("architecture", .text).notNull()
            t.column("version", .text).notNull()
            t.column("sectionID", .integer).references("section").indexed()
            t.column("maintainerID", .integer).references("maintainer").indexed()
            // In bytes.
            t.column("installedSize", .integer).check { $0 >= 0 }.indexed()
            t.column("summary", .text)
            t.column("homepage", .text)
            // The last import that saw it.
            t.column("importID", .integer).notNull().references("import").indexed()
            t.uniqueKey(["name", "architecture"])
        }
    }

    private static func createRelations(in db: Database) throws {
        // "Depends: a (>= 1) | b, c" has the requirements 0 and 1, and the first has the
        // alternatives 0 and 1.
        try db.create(table: "dependency", options: [.strict, .withoutRowID]) { t in
            t.column("packageID", .integer).notNull().references("package", onDelete: .cascade)
            t.column("requirement", .integer).notNull()
            t.column("alternative", .integer).notNull()
            t.column("kind", .text).notNull()
                .check { Requirement.Kind.allCases.contains($0) }
            t.column("name", .text).notNull().indexed()
            t.column("architecture", .text)
            t.column("comparison", .text)
                .check { PackageRelation.Comparison.allCases.contains($0) }
            t.column("version", .text)
            t.primaryKey(["packageID", "requirement", "alternative"])
            t.check((Column("comparison") == nil) == (Column("version") == nil))
        }
        // The virtual packages that a package stands for.
        try db.create(table: "provision", options: [.strict, .withoutRowID]) { t in
            t.column("packageID", .integer).notNull().references("package", onDelete: .cascade)
            t.column("name", .text).notNull().indexed()
            t.primaryKey(["packageID", "name"])
        }
        // Whoever names a package may mean the package itself or one that stands for it.
        try db.create(
            view: "provider",
            asLiteral: """
                SELECT name, id AS packageID FROM package
                UNION
                SELECT name, packageID FROM provision
                """)
    }

    private static func createWords(in db: Database) throws {
        // Who looks for "compressed" finds "compression", too.
        guard try db.hasFTS5 else {
            return try db.create(virtualTable: "packageWords", using: FTS4()) { t in
                t.synchronize(withTable: "package")
                t.tokenizer = .porter
                t.column("name")
                t.column("summary")
                t.column("description")
            }
        }
        try db.create(virtualTable: "packageWords", using: FTS5()) { t in
            t.synchronize(withTable: "package")
            t.tokenizer = .porter()
            t.column("name")
            t.column("summary")
            t.column("description")
        }
    }
}
