import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Runs the statements of a case, each from the same rows, and asks the oracle.
struct MatrixRun {
    var missing: [String] = []
    var superfluous: [String] = []
    /// How many statements ran without an error, and how many changed something.
    var ran = 0
    var changed = 0

    /// - Parameter mutate: Changes the texts of triggers; nil leaves one out.
    init(
        _ matrix: MatrixCase, isRecursive: Bool = false, hasForeignKeys: Bool = true,
        mutate: ((String) -> String?)? = nil
    ) throws {
        let fixture = try CaptureFixture(matrix.schema, matrix.declarations)
        try fixture.queue.inDatabase { db throws in
            try db.execute(sql: "PRAGMA foreign_keys = \(hasForeignKeys)")
            try db.execute(sql: "PRAGMA recursive_triggers = \(isRecursive)")
            if let mutate { try Self.apply(mutate, db) }
            let oracle = CaptureOracle(
                tables: try Capture.tables(db, SyncSchema(db, matrix.declarations)))
            let before = try oracle.state(db)
            for statement in matrix.statements {
                try db.execute(sql: "BEGIN")
                let works = (try? db.execute(sql: statement.sql)) != nil
                let after = try oracle.state(db)
                let noted = try Journal.rows(db).rows
                ran += works ? 1 : 0
                changed += before == after ? 0 : 1
                missing += try oracle.missing(db, from: before, to: after, noted: noted).map {
                    "\(statement.sql): \($0)"
                }
                if statement.isPlainUpdate {
                    superfluous += try oracle.superfluous(
                        from: before, to: after, noted: noted, db
                    ).map { "\(statement.sql): \($0)" }
                }
                if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            }
        }
    }

    private static func apply(_ mutate: (String) -> String?, _ db: Database) throws {
        let triggers = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for trigger in triggers {
            let (name, sql): (String, String) = (trigger[0], trigger[1])
            try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
            if let text = mutate(sql) { try db.execute(sql: text) }
        }
    }
}

@Suite struct CaptureMatrixTests {
    @Test(.proves("SYN-020", "SYN-022", "SYN-023"), arguments: MatrixCase.all)
    func `each row and column that a statement changes is noted`(matrix: MatrixCase) throws {
        var runs = [try MatrixRun(matrix)]
        if matrix.isUnique { runs.append(try MatrixRun(matrix, isRecursive: true)) }
        if matrix.action == .cascade { runs.append(try MatrixRun(matrix, hasForeignKeys: false)) }
        for run in runs {
            #expect(run.missing == [])
            #expect(run.superfluous == [])
            #expect(run.ran > 40 && run.changed > 30)
        }
    }

    /// What is broken on purpose, and the forms of tables that show it.
    static let mutants: [(name: String, change: @Sendable (String) -> String?)] = [
        ("no insert trigger", { $0.contains("AFTER INSERT") ? nil : $0 }),
        ("no update trigger", { $0.contains("sync_update_") ? nil : $0 }),
        ("no trigger of key changes", { $0.contains("sync_keyChange_") ? nil : $0 }),
        ("no delete trigger", { $0.contains("AFTER DELETE") ? nil : $0 }),
        ("no trigger before insertions", { $0.contains("BEFORE INSERT") ? nil : $0 }),
        ("no trigger before updates", { $0.contains("BEFORE UPDATE") ? nil : $0 }),
        ("the collation of the column", { $0.replacing("COLLATE BINARY", with: "") }),
        (
            "no storage classes",
            { $0.replacing(#/ OR typeof\("old".*?\) <> typeof\("new".*?\)/#, with: "") }
        ),
        ("no bit of the first column", { $0.replacing("THEN 1 ELSE", with: "THEN 0 ELSE") }),
        (
            "no deletion of the old key",
            {
                $0.contains("sync_keyChange_")
                    ? $0.replacing("VALUES (65538,", with: "VALUES (983040,") : $0
            }
        ),
        ("no key of the row that is replaced", { $0.replacing("\"replaced\".\"id\"", with: "0") }),
    ]

    @Test(.proves("SYN-022"), arguments: mutants.indices)
    func `the matrix notices a broken trigger`(index: Int) throws {
        let mutant = Self.mutants[index]
        var found = 0
        for matrix in MatrixCase.all where matrix.action == .cascade && found == 0 {
            found += try MatrixRun(matrix, mutate: mutant.change).missing.count
        }
        #expect(found > 0, "\(mutant.name) is not noticed")
    }

    @Test(.proves("SYN-023"))
    func `the matrix notices notes of nothing`() throws {
        let matrix = MatrixCase(form: .rowid, action: .cascade, isUnique: false)
        let run = try MatrixRun(matrix) { sql in
            guard sql.contains("sync_update_") else { return sql }
            return sql.replacing(#/WHEN \(.*\n/#, with: "\n").replacing(
                "THEN 1 ELSE 0", with: "THEN 1 ELSE 1")
        }
        #expect(!run.superfluous.isEmpty)
    }
}
