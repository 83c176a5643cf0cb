import Foundation
import StrongroomTestSupport
import Testing

/// What `strongroom schema swift` writes, compiled, and compared with the database it came from.
@Suite("Swift for a database")
struct SchemaSwiftTests {
    /// Tables with whatever makes a name, a type or a key unlike others.
    private static let sql = """
        CREATE TABLE "class" ("func" TEXT NOT NULL, "let" INTEGER, "self" TEXT, "init" TEXT,
            "Type" TEXT, "in" TEXT, "default" TEXT, "protocol" TEXT);
        CREATE TABLE "order details" ("unit price" REAL, "1st" INTEGER, "?" TEXT, "a-b" TEXT);
        CREATE TABLE folders (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES folders,
            title TEXT NOT NULL DEFAULT 'it''s "new"' COLLATE NOCASE);
        CREATE TABLE memberships (folder_id INTEGER NOT NULL REFERENCES folders ON DELETE CASCADE,
            member TEXT NOT NULL, role TEXT, PRIMARY KEY (folder_id, member));
        CREATE TABLE prices (sku TEXT NOT NULL, day TEXT NOT NULL, cents INTEGER NOT NULL,
            PRIMARY KEY (sku, day)) WITHOUT ROWID;
        CREATE TABLE moved (note TEXT, a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b));
        CREATE TABLE codes (code TEXT PRIMARY KEY NOT NULL, label TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE totals (id INTEGER PRIMARY KEY, net REAL NOT NULL,
            gross REAL GENERATED ALWAYS AS (net * 1.2) STORED, half AS (net / 2));
        CREATE VIEW open_totals AS SELECT id, net, net + 1 AS more FROM totals WHERE net > 0;
        CREATE VIRTUAL TABLE pages USING fts5(title, "the body", tokenize = 'porter ascii');
        CREATE TABLE strict_ones (id INTEGER PRIMARY KEY, n INT NOT NULL, x ANY, b BLOB) STRICT;
        CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL COLLATE RTRIM UNIQUE);
        CREATE TABLE events (id INTEGER PRIMARY KEY, at DATETIME NOT NULL, day DATE, seen TIMESTAMP,
            made TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
        INSERT INTO events VALUES
            (1, '2024-01-02 03:04:05', 1700000000, 1700000000.5, '2024-01-02');
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, item INTEGER REFERENCES item);
        CREATE TABLE größen (id INTEGER PRIMARY KEY, "größe" REAL, "高さ" REAL);
        CREATE TABLE "🚢" (id INTEGER PRIMARY KEY, "🚢" TEXT);
        CREATE TABLE "x */ #error(""no"") /*" (id INTEGER PRIMARY KEY, "*/ #error(""no"")" TEXT);
        CREATE TABLE "a
        import Darwin
        //" (id INTEGER PRIMARY KEY, "b
        #error" TEXT NOT NULL DEFAULT 'two
        lines');
        CREATE TABLE "\\(fatalError())" (id INTEGER PRIMARY KEY,
            "\\(1)" TEXT NOT NULL DEFAULT '\\(2)');
        CREATE TABLE "string" (id INTEGER PRIMARY KEY, "int" INTEGER, "String" TEXT);
        CREATE TABLE "table" (id INTEGER PRIMARY KEY, columns TEXT, hash TEXT, description TEXT);
        CREATE TABLE "date" (date DATE, data BLOB, uuid UUID);
        CREATE TABLE "2024" (id INTEGER PRIMARY KEY, "2025" INTEGER NOT NULL DEFAULT -7);
        CREATE TABLE keyless (id TEXT, "rowid" INTEGER);
        CREATE TABLE devices (id UUID PRIMARY KEY NOT NULL, owner UUID, name VARCHAR(20) NOT NULL);
        CREATE TABLE documents (id INTEGER PRIMARY KEY, body JSON NOT NULL, packed JSONB, raw);
        CREATE TABLE numbers (id INTEGER PRIMARY KEY, a DECIMAL(10, 2), b DOUBLE PRECISION NOT NULL
            DEFAULT 1.5, c BIGINT NOT NULL DEFAULT 9, d BOOLEAN NOT NULL DEFAULT TRUE, e NUMERIC,
            f REAL NOT NULL DEFAULT (1 + 1), g BLOB NOT NULL DEFAULT x'00', h TEXT DEFAULT NULL);
        CREATE TABLE clash (id INTEGER PRIMARY KEY, created_at TEXT, createdAt TEXT,
            "created at" TEXT);
        CREATE TABLE loose_keys (id TEXT PRIMARY KEY, n INTEGER);
        INSERT INTO loose_keys VALUES (NULL, 1);
        CREATE TABLE categories (id INTEGER PRIMARY KEY);
        CREATE TABLE addresses (id INTEGER PRIMARY KEY, "URL" TEXT, "ID2" TEXT);
        CREATE TABLE strongroom_own (a);
        CREATE VIEW broken AS SELECT a FROM nowhere;
        """

    private static let names = 32

    private static func program(_ source: String, _ types: [String]) -> String {
        """
        <!-- program -->
        ```swift
        \(source)
        @main struct Check {
            static func main() throws {
                var configuration = Configuration()
                configuration.prepareDatabase { try $0.usePassphrase("\(FixtureDatabase.rawKey)") }
                let path = CommandLine.arguments[1]
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                let types: [any StrongroomTables.Table.Type] = [
                    \(types.map { "\($0).self" }.joined(separator: ", "))
                ]
                try queue.read { db in
                    for mismatch in try db.mismatches(of: types, sampling: 5) { print(mismatch) }
                }
            }
        }
        ```
        """
    }

    @Test(.proves("OPR-23"))
    func `compiles, and fits the database`() throws {
        let fixture = try FixtureDatabase()
        try fixture.shell().create(Self.sql)
        let key = try fixture.directory.write(fixture.key + "\n", to: "app.key")
        let written = try Subprocess.run(
            PackageFiles.program("strongroom"),
            ["schema", "swift", fixture.path, "--key-file", key])
        #expect(written.isSuccess, "\(written.errorText)")
        #expect(written.errorText.contains("left out: broken: "))
        let source = written.outputText
        let types = source.matches(of: /(?m)^@Table.* struct (\w+)/).map { String($0.1) }
        #expect(types.count == Self.names && Set(types).count == types.count)
        let guide = GuideProgram(guide: Self.program(source, types))
        guard guide.canBeBuilt else { return }
        let program = try guide.build(in: fixture.directory)
        let result = try Subprocess.run(program, [fixture.path])
        #expect(result.isSuccess && result.outputText.isEmpty, "\(result.outputText)\(source)")
    }
}
