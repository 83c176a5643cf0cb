public import StrongroomCore
internal import StrongroomSchema

/// The tables that devices share, as a database has them.
public struct SyncSchema: Sendable, Hashable {
    /// The shared tables, in the order of their declarations.
    package let tables: [SharedTable]
    /// What was found that does not prevent sharing.
    public let warnings: [SyncFinding]

    /// Reads the tables from a database.
    ///
    /// - Parameters:
    ///   - db: A connection to the database; tables are those of its main file.
    ///   - declarations: The tables that are to be shared.
    /// - Throws: ``SyncSchemaError`` with all findings if a table cannot be shared as it is declared;
    ///   `DatabaseError` if the schema cannot be read.
    public init(_ db: Database, _ declarations: [SyncedTable]) throws {
        let check = try SchemaFindings(db, declarations)
        guard !check.findings.contains(where: { $0.severity == .refused }) else {
            throw SyncSchemaError(findings: check.findings)
        }
        tables = check.tables
        warnings = check.findings
    }

    private init(tables: [SharedTable], warnings: [SyncFinding]) {
        self.tables = tables
        self.warnings = warnings
    }

    /// The tables of declarations as far as they are there, whether they fit or not.
    init(_ db: Database, unchecked declarations: [SyncedTable]) throws {
        tables = try SchemaFindings(db, declarations).tables
        warnings = []
    }

    /// The schema without some tables, which have these first names.
    package func without(_ names: Set<String>) -> SyncSchema {
        names.isEmpty
            ? self
            : SyncSchema(
                tables: tables.filter { !names.contains($0.wireName) }, warnings: warnings)
    }

    /// Compares declarations with a database, and returns everything that does not fit.
    ///
    ///     let findings = try dbQueue.read { db in
    ///         try SyncSchema.check(db, [SyncedTable("player", merge: ["score": .counter])])
    ///     }
    ///     assert(findings.isEmpty)
    ///
    /// Nothing is written, and nothing that the schema contains is run.
    ///
    /// - Parameters:
    ///   - db: A connection to the database; tables are those of its main file.
    ///   - declarations: The tables that are to be shared.
    /// - Returns: Findings in the order of the declarations, those of the whole file last.
    /// - Throws: `DatabaseError` if the schema cannot be read.
    public static func check(
        _ db: Database, _ declarations: [SyncedTable]
    ) throws -> [SyncFinding] {
        try SchemaFindings(db, declarations).findings
    }
}
