import Foundation
import StrongroomTablesCheck
import StrongroomTestSupport
import Testing

private let items = "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"

@Suite("The check of sources against a schema")
struct CheckTablesTests {
    @Test(.proves("GEN-012"))
    func `sources that fit say so in one line`() throws {
        let source = "@Table struct Item { let id: Int; var title = \"\" }"
        let result = try CheckedPackage(source, schema: items).run()
        #expect(result.text == "check-tables: schema.sql fits 1 table\n")
        #expect(result.status == 0)
        let none = try CheckedPackage("struct Item { let id: Int }", schema: items).run()
        #expect(none.text == "check-tables: no type with '@Table' in 1 file\n")
        #expect(none.status == 0)
    }

    @Test(.proves("GEN-012"))
    func `a mismatch stands at the line and column of its property`() throws {
        let source = """
            import StrongroomTables

            /// The 🐢 stands in a line of its own.
            @Table struct Item {
                let id: Int
                /* 🐢 */ var title: Int
            }
            """
        let result = try CheckedPackage(source, schema: items).run()
        #expect(
            result.text == """
                File0.swift:6:20: error: items.title: Int is stored as an integer, the column is \
                TEXT — declare the column as INTEGER
                check-tables: 1 error, 0 warnings

                """)
        #expect(result.status == 1)
    }

    @Test(.proves("GEN-012"))
    func `finds what the check of compiled types finds`() throws {
        try CheckedPackage(
            """
            @Table struct Item {  // error: items.owner: the type has no | warning: items.note:
                let id: Int
                @Column("due_at") var due: Date?  // error: items.due_at: Date? is stored as text
                var stars: Int?  // error: items.stars: Item.stars is stored in it
                var price: Double  // warning: items.price: Double takes no NULL
                @Column(generated: .stored) let total: Int  // error: items.total: the type says
                var Title = ""  // warning: items.Title: the type says "Title"
                var level: Int?  // warning: items.level: Int? takes NULL, the column is NOT NULL
            }
            @Table struct Folder {  // error: folders: Folder is stored in it, the database has "folder"
                let id: Int
            }
            @Table struct Day {  // error: days: the type says a table, it is a view
                let id: Int
            }
            @Table struct Pair { let left: Int; let right: Int }  // error: pairs: the type has no key
            """,
            schema: """
                CREATE TABLE items (
                    id INTEGER PRIMARY KEY, due_at INTEGER, price REAL, total INTEGER NOT NULL,
                    title TEXT NOT NULL, level INTEGER NOT NULL, note TEXT, owner TEXT NOT NULL);
                CREATE TABLE folder (id INTEGER PRIMARY KEY);
                CREATE VIEW days AS SELECT 1 AS id;
                CREATE TABLE pairs (
                    "left" INTEGER NOT NULL, "right" INTEGER NOT NULL,
                    PRIMARY KEY ("left", "right"));
                """
        ).expectRemarks()
    }

    @Test(.proves("GEN-012"))
    func `what the macro says about a declaration is reported`() throws {
        try CheckedPackage(
            """
            @Table struct Item {
                let id: Int
                @Column("id") var other: Int  // error: column "id" is declared twice
            }
            @Table final class Folder { let id = 1 }  // error: '@Table' applies to structs and enums
            @Table struct Note {
                let id: Int
                #if DEBUG  // error: '#if' around a column is not seen by '@Table'
                var title = ""
                #endif
            }
            @Selection struct Row { var a, b: Int }  // error: one property per declaration
            @Table struct Tag: Identifiable {
                let id: Int
                @Column(lazyInitializable: true) var name: String?  // warning: 'lazyInitializable'
            }
            """,
            schema: "CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT)"
        ).expectRemarks()
    }

    @Test(.proves("GEN-012"))
    func `foreign keys between columns of different representations are noted`() throws {
        try CheckedPackage(
            """
            @Table struct Owner { let id: UUID }
            @Table struct Item {
                let id: Int
                var ownerID: Owner.ID
                @Column(as: UUID.BytesRepresentation.self) var lenderID: UUID  // note: items.lenderID:
                var signerID: Tagged<Owner, UUID>  // note: cannot tell how 'Tagged<Owner, UUID>' is stored
            }
            """,
            schema: """
                CREATE TABLE owners (id TEXT NOT NULL PRIMARY KEY);
                CREATE TABLE items (
                    id INTEGER PRIMARY KEY, ownerID TEXT NOT NULL REFERENCES owners,
                    lenderID BLOB NOT NULL REFERENCES owners,
                    signerID TEXT NOT NULL REFERENCES owners);
                """
        ).expectRemarks()
    }

    // MARK: - The command line

    private func run(_ source: String, _ options: String...) throws -> CheckTables.Result {
        var package = CheckedPackage(source, schema: items)
        package.options = options
        return try package.run()
    }

    @Test(.proves("GEN-012"))
    func `the exit status tells errors, warnings that count, and wrong command lines`() throws {
        let warned = "@Table struct Item { let id: Int }"
        let isRequired = try run(warned)
        #expect(
            isRequired.status == 1 && isRequired.text.contains(": error: items.title: the type has")
        )
        let optional = "@Table struct Item { let id: Int; var title: String? }"
        #expect(try run(optional).status == 0)
        #expect(try run(optional, "--strict").status == 1)
        #expect(try run(optional, "--strict").text.hasSuffix("0 errors, 1 warning\n"))
        let other = "@Table struct Other { let id: Int }"
        #expect(try run(other).status == 1)
        #expect(try run(other, "--ignore", "Other").status == 0)
        #expect(try run(other, "--ignore=Other").status == 0)
        #expect(CheckTables.run(["--help"]).status == 0)
        for words in [
            [], ["--schema"], ["--schema", "x.sql"], ["--module", "App", "a.swift"],
            ["--schema", "x.sql", "a.swift"], ["--schema=x", "--module", "App", "a", "--ful"],
        ] {
            let result = CheckTables.run(words)
            #expect(result.status == 2 && result.text.contains("check-tables: error: "))
        }
    }

    @Test(.proves("GEN-012"))
    func `a file that cannot be read, or is no text, is named`() throws {
        let directory = try TemporaryDirectory()
        let schema = try directory.write(items, to: "schema.sql")
        let source = try directory.write(
            Data("// ok\n@Table struct Item {} // ".utf8) + Data([0xE4]), to: "Latin.swift")
        func run(_ schema: String, _ source: String) -> CheckTables.Result {
            CheckTables.run(["--schema", schema, "--module", "App", source])
        }
        let latin = run(schema, source)
        #expect(
            latin.status == 1 && latin.text.contains("Latin.swift:2:26: error: the file is not"))
        let gone = run(schema, directory.path(of: "gone.swift"))
        #expect(gone.status == 1 && gone.text.contains("gone.swift cannot be read"))
        let noSchema = run(directory.path(of: "gone.sql"), source)
        #expect(noSchema.status == 1 && noSchema.text.contains("gone.sql cannot be read"))
        let encrypted = try directory.write(Data([0x5A, 0xF3, 0, 1]), to: "app.db")
        #expect(run(encrypted, source).text.contains("'strongroom schema check'"))
        let broken = try directory.write("@Table struct Item { let id: Int", to: "Broken.swift")
        #expect(
            run(schema, broken).text.contains("Broken.swift:1:1: warning: the file has an error"))
    }

    @Test(.proves("GEN-012"))
    func `a database that is not encrypted serves as the schema`() throws {
        let directory = try TemporaryDirectory()
        let database = directory.path(of: "app.sqlite")
        try SQLCipherShell(path: database).create(
            items + "; INSERT INTO items VALUES (1, 'x');")
        let before = try Data(contentsOf: URL(filePath: database))
        let source = try directory.write(
            "@Table struct Item { let id: Int; var title: Date }", to: "Item.swift")
        func run() -> CheckTables.Result {
            CheckTables.run(["--schema", database, "--module", "App", source])
        }
        #expect(run().text.hasSuffix("app.sqlite fits 1 table\n"))
        _ = try directory.write(
            "@Table struct Item { let id: Int; var name = 1 }", to: "Item.swift")
        #expect(run().text.contains("Item.swift:1:39: error: items.name: "))
        #expect(try Data(contentsOf: URL(filePath: database)) == before)
    }
}
