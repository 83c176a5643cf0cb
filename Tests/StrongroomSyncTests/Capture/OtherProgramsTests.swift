import Foundation
import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// The statements of the matrix, as other programs run them: the notes are the same.
@Suite struct OtherProgramsTests {
    private static let query = """
        SELECT note || ' ' || ifnull(mask, '-') || ' ' || typeof(key) || ' ' || quote(key)
            || (time > 2440587.5) FROM strongroom_sync_journal ORDER BY id;
        """

    static let cases = MatrixCase.all.filter { $0.isUnique }

    /// The statements that work one after the other, and the notes that the library's connection has of them.
    private func expected(
        _ matrix: MatrixCase, _ queue: DatabaseQueue
    ) throws -> (sql: [String], notes: [String]) {
        try queue.inDatabase { db throws in
            let sql = try matrix.statements.map(\.sql).filter { sql in
                try db.execute(sql: "SAVEPOINT one")
                let works = (try? db.execute(sql: sql)) != nil
                try db.execute(sql: works ? "RELEASE one" : "ROLLBACK TO one; RELEASE one")
                return works
            }
            let notes = try String.fetchAll(db, sql: Self.query)
            return (sql, notes)
        }
    }

    private func prepare(_ matrix: MatrixCase, _ queue: DatabaseQueue) throws {
        try queue.inDatabase { db throws in
            try db.execute(sql: "PRAGMA foreign_keys = ON")
            try db.execute(sql: matrix.schema)
            try Capture.install(db, SyncSchema(db, matrix.declarations))
        }
    }

    @Test(.proves("SYN-021"), arguments: cases)
    func `the sqlcipher shell leaves the same notes`(matrix: MatrixCase) throws {
        let (one, other) = (try FixtureDatabase(), try FixtureDatabase())
        let queue = try one.open()
        try prepare(matrix, queue)
        let expected = try expected(matrix, queue)
        #expect(expected.sql.count > 25 && expected.notes.count > 50)
        let witness = try other.open()
        try prepare(matrix, witness)
        try witness.close()
        let script = expected.sql.map { $0 + ";" }.joined(separator: "\n")
        let output = try other.shell().run(
            """
            PRAGMA foreign_keys = ON;
            .output /dev/null
            \(script)
            .output stdout
            \(Self.query)
            """)
        expectEqual(output, expected.notes)
    }

    private func expectEqual(_ output: String, _ notes: [String]) {
        let found = output.split(separator: "\n").map(String.init)
        let differing = zip(found, notes).enumerated().first { $1.0 != $1.1 }
        #expect(found.count == notes.count)
        #expect(differing == nil, "note \(differing?.offset ?? 0)")
    }

    /// Where there is no Python with a sqlite3 of version 3.37, which has STRICT tables.
    static let hasPython: Bool = {
        let program = "import sqlite3, sys; sys.exit(sqlite3.sqlite_version_info < (3, 37))"
        return (try? Subprocess.run("python3", ["-c", program]).isSuccess) ?? false
    }()

    @Test(
        .proves("SYN-021"), .enabled(if: hasPython, "python3 with SQLite 3.37 is not here"),
        arguments: cases)
    func `Python's sqlite3 leaves the same notes in a plaintext file`(matrix: MatrixCase) throws {
        let directory = try TemporaryDirectory()
        let queue = try DatabaseQueue(path: directory.path(of: "one.db"))
        try prepare(matrix, queue)
        let expected = try expected(matrix, queue)
        let path = directory.path(of: "two.db")
        let witness = try DatabaseQueue(path: path)
        try prepare(matrix, witness)
        try witness.close()
        let program = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            db.execute("PRAGMA foreign_keys = ON")
            for line in sys.stdin.read().split("\\x1e"):
                db.execute(line).fetchall()
            for row in db.execute(sys.argv[2]):
                print(row[0])
            """
        let result = try Subprocess.run(
            "python3", ["-c", program, path, Self.query],
            input: Data(expected.sql.joined(separator: "\u{1e}").utf8))
        #expect(result.isSuccess, "\(result.errorText)")
        expectEqual(result.outputText, expected.notes)
    }
}
