import Foundation
import StrongroomTestSupport
import Testing

/// What an app must not be able to write.
@Suite("Code that must not compile")
struct RefusedCodeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Fails unless the compiler complains about the lines marked `// no`, and about no others.
    private func expectRefusals(
        _ source: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let marked = lines.indices.filter { lines[$0].hasSuffix("// no") }.map { $0 + 1 }
        let found = try ClientSource.linesWithErrors(in: source, directory: directory)
        #expect(!marked.isEmpty && found == Set(marked), sourceLocation: location)
    }

    @Test(.proves("STM-025"))
    func `A text is no SQL literal, and a literal is no text`() throws {
        try expectRefusals(
            """
            import Strongroom

            func example(_ db: Database, text: String, literal: SQL) throws {
                try db.execute(sql: "DELETE FROM player")
                try db.execute(sql: "DELETE FROM \\(text)")
                try db.execute(literal: "DELETE FROM player WHERE name = \\(text)")
                try db.execute(sql: text)
                try db.execute(literal: literal)
                try db.execute(literal: text) // no
                try db.execute(sql: literal) // no
                _ = try db.makeStatement(literal: text) // no
                _ = try db.cachedStatement(literal: text) // no
                _ = try db.allStatements(literal: text) // no
                _ = SQLRequest<Int>(literal: text) // no
                _ = SQLRequest<Int>(sql: literal) // no
                let _: SQL = literal + text // no
                try db.dumpSQL(text) // no
            }
            """)
    }

    @Test(.proves("CMP-09", "CMP-10"))
    func `Names of older releases are known, and say what to write`() throws {
        try expectRefusals(
            """
            import Strongroom

            func example(
                _ db: Database, _ pool: DatabasePool, _ queue: DatabaseQueue,
                _ function: DatabaseFunction, _ collation: DatabaseCollation
            ) throws {
                var configuration = Configuration()
                configuration.defaultTransactionKind = .immediate // no
                _ = try db.makeSelectStatement(sql: "SELECT 1") // no
                _ = try db.makeUpdateStatement(sql: "DELETE FROM t") // no
                db.afterNextTransactionCommit { _ in } // no
                queue.add(function: function) // no
                pool.add(collation: collation) // no
                db.add(function: function)
                db.add(collation: collation)
                pool.concurrentRead { _ in 1 } // no
                let _: DatabaseFuture<Int>? = nil // no
                configuration.prepareDatabase = { _ in } // no
                configuration.prepareDatabase { _ in }
                // Deprecated only.
                try db.create(table: "t") { $0.check(1) }
                _ = Table("player").all().observationForAll() // no
            }

            struct Player: TableRecord {}

            func records() {
                _ = Player.selectionSQL() // no
                _ = Player.all().observationForAll() // no
                _ = Player.all().observationForFirst() // no
                _ = Player.observationForCount() // no
            }
            """)
    }

    @Test(.proves("CCY-037", "CCY-048"))
    func `What a task gives and takes must be for all threads`() throws {
        try expectRefusals(
            """
            import Strongroom

            final class Box {}

            func example(_ writer: any DatabaseWriter) async throws {
                let names = ["Arthur"]
                let count = try await writer.read { try Int.fetchOne($0, sql: "SELECT 1") }
                print(count ?? 0, try await writer.write { _ in names })
                _ = try await writer.read { _ in Box() } // no
                _ = try await writer.read { $0 } // no
                _ = try await writer.write { try $0.makeStatement(sql: "SELECT 1") } // no
                let box = Box()
                try await writer.write { _ in print(box) } // no
                var sum = 0
                try await writer.write { _ in sum += 1 } // no
                print(sum)
            }
            """)
    }

    @Test(.proves("CNF-038"))
    func `A connection is given, never made, and does not leave its access for another thread`()
        throws
    {
        try expectRefusals(
            """
            import Dispatch
            import Strongroom

            final class Connection: Database {} // no

            func example(_ dbQueue: DatabaseQueue) throws {
                _ = Database() // no
                try dbQueue.read { db in
                    let names: [any CustomStringConvertible & CustomDebugStringConvertible] = [db]
                    _ = names
                    DispatchQueue.global().async {
                        try? db.execute(sql: "DELETE FROM player") // no
                    }
                }
            }
            """)
    }

    @Test(.proves("CCY-047"))
    func `What belongs to one connection is for its thread, and all else for all threads`() throws {
        let shared = [
            "DatabaseQueue", "DatabasePool", "DatabaseSnapshot", "DatabaseSnapshotPool",
            "AnyDatabaseReader", "AnyDatabaseWriter", "Configuration", "DatabaseMigrator",
            "QueryInterfaceRequest<Row>", "SQLRequest<Row>", "AnyFetchRequest<Row>",
            "BelongsToAssociation<Void, Void>", "HasManyAssociation<Void, Void>",
            "HasManyThroughAssociation<Void, Void>", "HasOneAssociation<Void, Void>",
            "HasOneThroughAssociation<Void, Void>", "JoinAssociation<Void, Void>",
            "AssociationAggregate<Void>", "CommonTableExpression<Row>", "Table<Row>",
            "TableAlias<Row>", "Column", "JSONColumn", "SQL", "SQLExpression", "SQLOrdering",
            "SQLSelection", "SQLSubquery", "DatabaseValue", "StatementArguments", "DatabaseError",
            "RowDecodingError", "RecordError", "DatabaseRegion",
            "ValueObservation<ValueReducers.Fetch<Int>>",
            "SharedValueObservation<Int>", "DatabaseRegionObservation", "AnyDatabaseCancellable",
            "DatabaseFunction", "DatabaseCollation", "FTS3Pattern", "FTS5Pattern", "ColumnInfo",
            "IndexInfo", "ForeignKeyInfo", "PrimaryKeyInfo", "ForeignKeyViolation",
            "DatabaseBackupProgress",
        ]
        let own = [
            "Database", "Statement", "Row", "RowCursor", "SQLStatementCursor", "Record",
            "DatabaseEvent",
        ]
        try expectRefusals(
            """
            import Strongroom

            func give<T: Sendable>(_ type: T.Type) {}

            func example() {
            \(shared.map { "    give(\($0).self)" }.joined(separator: "\n"))
            \(own.map { "    give(\($0).self) // no" }.joined(separator: "\n"))
            }
            """)
    }

    @Test(.proves("QRY-025"))
    func `Values are expressions, but neither orderings nor selections`() throws {
        try expectRefusals(
            """
            import Foundation
            import Strongroom

            func expression(_ value: some SQLExpressible) -> SQLExpression { value.sqlExpression }
            func specific(_ value: some SQLSpecificExpressible) -> SQLExpression { expression(value) }

            struct Player: TableRecord {}

            func example() {
                _ = [expression(1), expression("a"), expression(Date()), expression(1.5)]
                let column = Column("name")
                _ = [
                    specific(column), specific(SQL("name")), specific(column + 1),
                    specific(1.databaseValue), specific(Player.select(column)),
                    specific(SQLRequest<Int>(sql: "SELECT 1")),
                ]
                _ = Player.order(column, column.desc, SQL("name"), 1.databaseValue)
                _ = Player.select(column, SQL("name"), 1.databaseValue, .allColumns)
                _ = Player.order("name") // no
                _ = Player.select(1) // no
                _ = specific("name") // no
                _ = specific(1) // no
            }
            """)
    }
}
