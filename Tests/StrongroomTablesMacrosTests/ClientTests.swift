import Foundation
import StrongroomTestSupport
import Testing

@Suite("Tables in the programs of users")
struct ClientTests {
    @Test(
        "What is generated has the access of the type", .proves("TBL-009"),
        arguments: ["public", "package", "fileprivate", "private", "internal"])
    func access(access: String) throws {
        // Of what is package, the compiler counts no use of an import in what a macro generates.
        let text = try MacroClient(
            """
            @Table \(access) struct Item: Sendable { \(access) let id: Int; var title = "" }
            extension Item { \(access) static func rows() -> Where<Item> { all } }
            """
        ).expansions()
        let modifier =
            switch access {
            case "private": "fileprivate "
            case "internal": ""
            default: access + " "
            }
        for member in ["struct Draft:", "struct TableColumns:", "init(decoder:"] {
            #expect(text.contains("    \(modifier)\(member)"))
        }
        let draft = text.components(separatedBy: "struct Draft:").last ?? ""
        let isWritten = draft.contains("    \(modifier)init(")
        #expect(isWritten == (access == "public" || access == "package"))
    }

    @Test(
        "Availability is repeated, generics and nested types work",
        .proves("TBL-010"))
    func availability() throws {
        let text = try MacroClient(
            """
            @available(macOS 99, *)
            @Table struct New { let id: Int }
            @Table struct Old {
                let id: Int
                @available(*, deprecated) var legacy: Int?
            }
            """
        ).expansions(["-suppress-warnings"])
        #expect(text.contains("@available(macOS 99, *)\nnonisolated extension New"))
        #expect(text.contains("@available(*, deprecated) var legacy"))
    }

    @Test(
        "A generic table takes its name from its parameter",
        .proves("TBL-008"))
    func generics() throws {
        let text = try MacroClient(
            """
            @Table struct Item { let id: Int }
            @Table struct Info<Base: Table> {
                static var tableAlias: String? { Base.tableName + "Info" }
                static var tableFragment: QueryFragment { "pragma_table_info(\\(bind: Base.tableName))" }
                let name: String
            }
            func names() -> some StrongroomTables.Statement { Info<Item>.select { $0.name } }
            """
        ).expansions()
        #expect(text.contains("static var _layout"))
    }

    @Test(
        "One import gives both layers, whose names for a table and a statement are told apart",
        .proves("MOD-003", "NAM-002"))
    func chain() throws {
        let text = try MacroClient(
            """
            @Table struct Item { let id: Int; @Column("name") var title = "" }
            @DatabaseFunction func shout(_ text: String) -> String { text + "!" }
            func typed(_ type: any Table.Type, _ statement: some Statement<Item>) {}
            func core(_ table: Strongroom.Table<Row>, _ statement: Strongroom.Statement) {}
            func both(_ db: Database) throws {
                typed(Item.self, Item.all)
                core(Strongroom.Table("items"), try db.makeStatement(sql: "SELECT 1"))
                let column = Column("title")
                _ = column == "x"
                let plain = DatabaseFunction("plain", argumentCount: 0) { _ in 1 }
                db.add(function: plain)
                db.add(function: $shout)
                _ = Item.select { $shout($0.title) }
            }
            """
        ).expansions()
        #expect(!text.isEmpty)
    }

    @Test(
        "No member of a table hides a name that its declaration uses",
        .proves("NAM-015"))
    func names() throws {
        let text = try MacroClient(
            """
            enum Condition: String, QueryBindable { case good, bad }
            enum Base: String, QueryBindable { case good, bad }
            enum Key: String, QueryBindable { case good, bad }
            @Table struct Patient: FetchableRecord, TableRecord {
                enum Columns: String, ColumnExpression { case id, condition }
                let id: Int
                var condition: Condition = .good
                var base: Base?
                var key: Key?
                init(row: Row) throws {
                    id = row[Columns.id]
                    condition = row["condition"] == "good" ? .good : .bad
                }
            }
            func column() -> Column { Column("id") }
            """
        ).expansions()
        #expect(text.contains("Condition.ColumnTerm"))
    }

    @Test(
        "Where everything belongs to the main actor, tables do not",
        .proves("TBL-052"))
    func isolation() throws {
        let client = MacroClient(
            """
            @Table struct Item: Identifiable {
                let id: Int
                var title = ""
                var due: Date?
                var level: Level?
            }
            nonisolated enum Level: Int, QueryBindable { case low, high }
            @MainActor func onMain(_ db: Database) throws -> [Item] { try Item.all.fetchAll(db) }
            nonisolated func path() -> any KeyPath<Item, String> & Sendable { \\Item.title }
            nonisolated func queries(_ db: Database) throws -> [Item] {
                try Item.insert { Item.Draft(title: "a") }.execute(db)
                _ = Item.title
                return try Item.where { $0.title.eq("a") }.order(by: \\.due).fetchAll(db)
            }
            """)
        let text = try client.expansions(["-default-isolation", "MainActor"])
        #expect(text.contains("nonisolated extension Item"))
    }

    @Test(
        "Wide tables, deep groups and all kinds of drafts compile, optimised or not",
        .proves("MOD-011"), arguments: ["-Onone", "-O"])
    func sizes(optimisation: String) throws {
        let wide = (1...60).map { "var c\($0): \($0 % 2 == 0 ? "Int" : "String?")" }
        let source = """
            import StrongroomTables
            @Table public struct Wide { public let id: Int; \(wide.joined(separator: "; ")) }
            @Selection struct D { var d = 1; var e: String? }
            @Selection struct C { var c = 1; var d = D() }
            @Selection struct B { var b = 1; var c = C() }
            @Selection struct A { var a = 1; var b: B? }
            @Table struct Deep { let id: Int; var a = A() }
            @Table struct Keyless { var text = "" }
            @Table struct Pair {
                @Selection struct ID: Hashable { let left: Int; let right: Int }
                let id: ID
                @Column(generated: .stored) let sum: Int?
                @Column(lazyInitializable: true) var made: Int
            }
            func use(_ db: Database) throws -> Int {
                try Deep.insert { Deep.Draft() }.execute(db)
                try Pair.insert { Pair.Draft(id: .init(left: 1, right: 2)) }.execute(db)
                try Keyless.insert { Keyless() }.execute(db)
                _ = try Deep.where { $0.a.b.c.d.d.eq(1) }.fetchAll(db)
                return try Wide.where { $0.c60.eq(2) }.fetchCount(db)
            }
            """
        let remarks = try MacroClient.remarks(
            compiling: "Sizes.swift", of: ["Sizes.swift": source], ["-c", optimisation])
        #expect(!remarks.contains("error:") && !remarks.contains("warning:"), "\(remarks)")
    }

    @Test(
        "A query may stand in another file than its table, and be the first that names it",
        arguments: [
            "Item.where { $0.title.eq(\"x\") }", "Item.select(\\.title)", "Item.find(1)",
            "Item.order { $0.title }", "Item.count()", "Note.where { $0.match(\"x\") }",
            "Item.join(Note.all) { $0.title.eq($1.text) }", "Item.insert { Item(id: 1) }",
            "Item.update { $0.title = \"x\" }", "Item.Draft.where { $0.id > 1 }",
            "Item.where { $0.place.eq(Place(row: 1, box: 2)) }",
            "Pair.from(Item.select { "
                + "Pair.Columns(name: $0.title) }).where { $0.name.eq(\"a\") }",
        ])
    func otherFile(query: String) throws {
        let tables = """
            import StrongroomTables
            @Table struct Item { let id: Int; var title = ""; var place = Place() }
            @Selection struct Place { var row = 1; var box = 2 }
            @Selection struct Pair { let name: String }
            @Table struct Note: FullTextTable { var text = "" }
            """
        let remarks = try MacroClient.remarks(
            compiling: "Query.swift",
            of: [
                "Tables.swift": tables,
                "Query.swift": "import StrongroomTables\nfunc query() { _ = \(query) }",
            ])
        #expect(remarks.isEmpty)
    }

    @Test(
        "'@Columns' is an old spelling of '@Column' at a group",
        .proves("TBL-028"))
    func columns() throws {
        try MacroClient(
            """
            @Selection struct Key: Hashable { let a: Int; let b: Int }
            @Table struct Item {
                @Columns(primaryKey: true) // warning: 'Columns(primaryKey:)' is deprecated
                let key: Key
            }
            func find() { _ = Item.find(Key(a: 1, b: 2)) }
            """
        ).expectDiagnostics()
    }
}
