import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A schema that was written to be run", .proves("HST-01"))
struct HostileSchemaTests {
    static let keyText = EncryptedSample.rawKey
    /// What remains of these is no database, or a row would have to call a function.
    private static let unsalvageable: Set = ["a default that exports", "another sort of row"]

    /// Runs an operation that writes `out.db`, and sees that nothing else was changed.
    private func run(
        _ folder: HostileFolder, key: CipherKey?, to outKey: CipherKey?,
        _ operation: (DatabaseFile, DatabaseFile) throws -> Void
    ) throws -> (any Error)? {
        let before = try folder.files()
        let source = DatabaseFile(path: folder.path, key: key)
        let out = DatabaseFile(path: folder.directory.path(of: "out.db"), key: outKey)
        var failure: (any Error)?
        do {
            try operation(source, out)
        } catch {
            failure = error
        }
        var after = try folder.files()
        #expect((after.removeValue(forKey: "out.db") == nil) == (failure != nil))
        #expect(after == before)
        return failure
    }

    private func expect(
        _ outcome: HostileSchema.Outcome, _ failure: (any Error)?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard outcome != .carried else {
            return #expect(failure == nil, sourceLocation: sourceLocation)
        }
        let error = failure as? DatabaseFileError
        #expect(error != nil, "\(String(describing: failure))", sourceLocation: sourceLocation)
        if outcome == .refused {
            #expect(
                error?.message.contains("a schema that SQLite did not write") == true
                    || error?.message.contains("no such function") == true,
                "\(error?.message ?? "")", sourceLocation: sourceLocation)
        }
    }

    @Test("runs nothing when it is encrypted or copied", arguments: HostileSchema.all)
    func encryption(schema: HostileSchema) throws {
        let folder = try HostileFolder(schema)
        let key = try EncryptedSample.key(Self.keyText)
        expect(
            schema.outcome,
            try run(folder, key: nil, to: key) { try $0.transfer(to: $1) })
        try? FileManager.default.removeItem(atPath: folder.directory.path(of: "out.db"))
        _ = try run(folder, key: nil, to: nil) { try $0.transfer(to: $1) }
    }

    @Test("runs nothing when it is decrypted, rotated or checked", arguments: HostileSchema.all)
    func decryption(schema: HostileSchema) throws {
        let folder = try HostileFolder(schema, key: .content(Self.keyText))
        let key = try EncryptedSample.key(Self.keyText)
        expect(
            schema.outcome,
            try run(folder, key: key, to: nil) { try $0.transfer(to: $1) })
        try? FileManager.default.removeItem(atPath: folder.directory.path(of: "out.db"))
        let change = CipherChange(pageSize: 8192)
        let failure = try run(folder, key: key, to: nil) { source, out in
            try FileManager.default.copyItem(atPath: source.path, toPath: out.path)
            var copy = source
            copy.path = out.path
            do {
                try copy.rotateKey(to: key, changing: change)
            } catch {
                #expect(
                    FileManager.default.contents(atPath: out.path)
                        == FileManager.default.contents(atPath: source.path))
                try FileManager.default.removeItem(atPath: out.path)
                throw error
            }
        }
        expect(schema.outcome, failure)
        let before = try folder.files()
        _ = try? DatabaseFile(path: folder.path, key: key).check()
        #expect(try folder.files() == before)
    }

    @Test("runs nothing when it is salvaged", arguments: HostileSchema.all)
    func salvage(schema: HostileSchema) throws {
        let folder = try HostileFolder(schema, key: .content(Self.keyText))
        try folder.damageLastPage()
        let key = try EncryptedSample.key(Self.keyText)
        var report: SalvageReport?
        let failure = try run(folder, key: key, to: key) { report = try $0.salvage(to: $1) }
        guard let report else {
            #expect(failure is DatabaseFileError)
            #expect(Self.unsalvageable.contains(schema.description), "\(schema)")
            return
        }
        #expect(!Self.unsalvageable.contains(schema.description), "\(schema)")
        #expect(report.method == .rows)
        if schema.outcome != .carried {
            #expect(report.notes.contains { $0.contains("could not be") })
        }
        let out = SQLCipherShell(
            path: folder.directory.path(of: "out.db"), key: .content(Self.keyText))
        #expect(try out.cell("SELECT count(*) FROM sqlite_master WHERE name IN ('u', 'o')") == 0)
    }

    @Test("runs nothing with a row that lacks a column whose default calls a function")
    func shortRow() throws {
        let schema = try #require(
            HostileSchema.all.first { $0.description == "a default that exports" })
        let folder = try HostileFolder(schema, key: .content(Self.keyText))
        try folder.damageLastPage()
        let key = try EncryptedSample.key(Self.keyText)
        let failure = try run(folder, key: key, to: key) { try $0.salvage(to: $1) }
        #expect("\(try #require(failure))".contains("sqlcipher_export"))
    }

    @Test("may use the functions that the app gives, and those of SQLite that do no harm")
    func functions() throws {
        let folder = try TemporaryDirectory()
        let file = DatabaseFile(path: folder.path(of: "app.db"))
        var configuration = Configuration()
        // As old databases have them, in indexes and checks.
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.prepareDatabase { db in
            db.add(
                function: DatabaseFunction("twice", argumentCount: 1, pure: true) { values in
                    Int.fromDatabaseValue(values[0]).map { $0 * 2 }
                })
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (a INT CHECK (twice(a) > 1), b AS (twice(a)) STORED, c AS (abs(a)));
                    CREATE INDEX i ON t (twice(a), lower(c)) WHERE twice(a) IS NOT NULL;
                    CREATE INDEX q ON t ("a", "no column");
                    INSERT INTO t VALUES (1), (2);
                    """)
        }
        try queue.close()
        var source = file
        source.configuration = configuration
        var encrypted = DatabaseFile(
            path: folder.path(of: "out.db"), key: try EncryptedSample.key(Self.keyText),
            configuration: configuration)
        encrypted.configuration = configuration
        #expect(try source.transfer(to: encrypted).rowCount == 2)
        #expect(try encrypted.check().isSound)
        let shell = SQLCipherShell(path: encrypted.path, key: .content(Self.keyText))
        #expect(try shell.rows("SELECT a, b FROM t ORDER BY a") == [[1, 2], [2, 4]])
    }
}
