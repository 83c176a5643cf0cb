import StrongroomTestSupport
import Testing

/// Lines with a mistake that the compiler must find. One call of the compiler checks a group of them:
/// each stands on a line of its own, next to lines without mistake. Behind `//` stands what the
/// compiler says there. They are of list A of the contract.
@Suite("Queries that must not compile")
struct RefusedQueriesTests {
    private static let tables = """
        @Table struct Folder: Identifiable { let id: Int; var title = ""; var rank = 0 }
        @Table struct Item: Identifiable {
            let id: Int
            var title = ""
            var isDone = false
            var stars: Int?
            var level: Level?
            var due: Date?
            var folderID: Folder.ID
            var weight = 1.5
        }
        @Selection struct Author: Codable {
            var name = ""
            @Column(as: [String].JSONRepresentation.self) var lines: [String] = []
        }
        @Table struct Book {
            let id: Int
            var title = ""
            @Column(as: Author.JSONRepresentation.self) var author = Author()
        }
        @Selection struct Names { let name: String }
        enum Level: Int, QueryBindable { case low = 1, medium, high }
        @Table("itemsTags") struct ItemTag { let itemID: Int; let tagID: Int }
        @Selection struct Row { let item: String; let folder: String }
        @Selection struct Times { var made: Date; var changed: Date }
        @Table struct Enrollment {
            @Selection struct ID: Hashable { let course: Int; let person: Int }
            let id: ID
            var times: Times
            @Column(generated: .stored) let total: Int?
        }
        struct PersonID: RawRepresentable, Hashable, QueryBindable { let rawValue: Int }
        @Table struct Person { let id: PersonID; var name = "" }
        @Selection enum Kind { case note(String), image(Row) }
        @Table struct Post { let id: Int; var kind: Kind }
        @Selection struct Stock { var count = 0; @Column(generated: .stored) let twice: Int? }
        @Table struct Bin { let id: Int; var stock: Stock }
        struct Strange {}

        """

    func expect(
        _ source: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try MacroClient(Self.tables + source).expectDiagnostics(location)
    }

    @Test(.proves("DEC-009", "SEL-010", "TEX-001", "TEX-024"))
    func `A condition has the types of its columns`() throws {
        try expect(
            """
            func conditions(s: Int?, folder: Folder, person: Person) {
                _ = Item.where { $0.title.eq("a") && !$0.isDone }
                _ = Item.where { $0.title } // error:
                _ = Item.where { $0.titel.eq("a") } // error: value of type 'Item.TableColumns' has no member 'titel'
                _ = Item.where { $0.id.eq("1") } // error:
                _ = Item.where { $0.id.eq(nil) } // error:
                _ = Item.where { $0.id == 1 } // error: '==' is unavailable: use 'eq' or 'is'
                _ = Item.where { $0.due > "2026-01-01" } // error:
                _ = Item.where { $0.level.eq(3) } // error:
                _ = Item.where { $0.level.eq(.nope) } // error:
                _ = Item.where { $0.id.in(["a"]) } // error:
                _ = Item.where { $0.id.in(Item.select(\\.title)) } // error:
                _ = Item.where { $0.id.in(Item.select { ($0.id, $0.stars) }) } // error:
                _ = Item.where { $0.id.between(1, and: "9") } // error:
                _ = Item.where { $0.id.like("1%") } // error:
                _ = Item.where { $0.title && $0.isDone } // error:
                _ = Item.where { $0.title + 1 > 2 } // error:
                _ = Item.where { $0.folderID.eq($0.title) } // error:
                _ = Item.where { $0.stars.eq(s) } // error:
                _ = Item.having { $0.title } // error:
                _ = Item.select { $0.title.groupConcat(distinct: true) }
                _ = Item.select { $0.title.groupConcat(",", distinct: true) } // error: | error:
                _ = Item.select { $0.title.groupConcat(distinct: true, order: $0.id) } // error: | error:
                _ = Item.join(Folder.all, by: \\.folderID)
                _ = Item.join(Folder.all, by: \\.title) // error:
                _ = Item.find(1)
                _ = Item.find("x") // error:
                _ = ItemTag.find(1) // error:
                _ = Enrollment.find(1) // error:
                _ = Person.find(person.id)
                _ = Person.find(folder.id) // error:
                _ = Person.where { $0.id.eq(person.id) }
                _ = Person.where { $0.id.eq(folder.id) } // error:
                _ = Enrollment.order { $0.times }
                _ = Enrollment.select { $0.times.count() } // error: | error:
                _ = Post.where { $0.kind.is(\\.note) }
                _ = Post.where { $0.kind.is(\\.nope) } // error: | error:
            }
            """)
    }

    @Test
    func `A query has the types of its tables`() throws {
        try expect(
            """
            func queries(db: Database) throws {
                _ = Item.order(by: \\.title)
                _ = Item.order(by: \\.nope) // error:
                _ = Item.limit("10") // error:
                _ = Item.limit(3).count() // error:
                _ = Folder.join(Item.all) { $0.id.eq($1.folderID) }
                _ = Folder.join(Item.all) { $0.id.eq($1.title) } // error:
                _ = Folder.join(Item.all) { a, b, c in true } // error:
                let _: [Int?] = try Item.select(\\.stars).fetchAll(db)
                let _: [Int] = try Item.select(\\.stars).fetchAll(db) // error:
                _ = Row.Columns(item: "a", folder: "b")
                _ = Row.Columns(item: "a") // error: missing argument for parameter 'folder' in call
                _ = Item.select { Row.Columns(item: $0.id, folder: $0.title) } // error: | error:
                _ = Item.select { $0.title.sum() } // error: | error:
                try Item.all.execute(db) // error:
            }
            """)
    }

    @Test
    func `Rows are written with what their columns hold`() throws {
        try expect(
            """
            func inserts(row: Row, tag: ItemTag, db: Database) throws {
                _ = Item.insert { Item(id: 1, folderID: 1) }
                _ = Item.insert { Folder(id: 1) } // error:
                _ = Item.insert { ($0.title, $0.folderID) } values: { ("a", 1) }
                _ = Item.insert { ($0.title, $0.folderID) } values: { ("a", "b") } // error:
                _ = Item.insert { ($0.title, $0.folderID) } values: { ("a") } // error:
                _ = Item.insert { ($0.title, $0.folderID) } values: { (nil, 1) } // error:
                _ = Item.insert { $0.title } select: { Folder.select(\\.title) }
                _ = Item.insert { $0.title } select: { Folder.select(\\.id) } // error:
                _ = Enrollment.insert { $0.total } values: { 1 } // error: | error:
                _ = Row.insert { row } // error:
                _ = Row.delete() // error:
                _ = ItemTag.update(tag) // error:
                _ = ItemTag.delete(tag) // error:
                _ = ItemTag.upsert { tag } // error:
                _ = Item.Draft(folderID: 1)
                _ = Item.Draft() // error: missing argument for parameter 'folderID' in call
                _ = Item.Draft(id: "x", folderID: 1) // error:
                _ = Item.Draft.Draft.self // error:
                _ = Item.update(Item.Draft(folderID: 1)) // error:
                _ = Item.delete().returning(\\.title)
                let _: [Item] = try Item.delete().returning(\\.self).fetchAll(db)
                let _: [Item] = try Item.delete().fetchAll(db) // error:
                _ = Item.where { $0.match("x") } // error:
                _ = Item.delete().returning(\\.nope) // error:
            }
            """)
    }

    @Test
    func `Columns are assigned what they hold`() throws {
        try expect(
            """
            func updates() {
                _ = Item.update { $0.title = "x"; $0.stars += 1; $0.due = nil }
                _ = Item.update { $0.id = "x" } // error:
                _ = Item.update { $0.title = nil } // error:
                _ = Item.update { $0.isDone += true } // error:
                _ = Item.update { $0.title += 1 } // error:
                _ = Item.update { $0.nope = 1 } // error:
                _ = Bin.update { $0.stock.count = 1 }
                _ = Bin.update { $0.stock.twice = 1 } // error:
                _ = Enrollment.update { $0.total = 1 } // error:
                _ = Item.where { row in row.title = "x" } // error: | error:
                _ = Item.join(Folder.all) { $0.folderID.eq($1.id) }.update { i, f in i.title = f.title }
                _ = Item.leftJoin(Folder.all) { $0.folderID.eq($1.id) }.update { i, f in i.title = "x" } // error:
            }
            """)
    }

    @Test
    func `SQL in text is read from what can be read, and holds what can be bound`() throws {
        try expect(
            #"""
            func sql(text: String, db: Database) throws {
                _ = #sql("SELECT 1", as: Int.self)
                _ = #sql(text, as: Int.self) // error: cannot convert value of type 'String'
                _ = #sql("SELECT 1", as: Strange.self) // error:
                _ = #sql("\(Strange())", as: Int.self) // error:
            }
            """#)
    }

    @Test(.proves("SEL-019"))
    func `A selection is no table`() throws {
        try expect(
            """
            func selections(row: Row, db: Database) throws {
                _ = Row.select { $0.item }
                _ = Row.where { $0.item.eq("x") }.order(by: \\.folder)
                _ = Row.insert { row } // error:
                _ = Row.update { $0.item = "x" } // error:
                _ = Row.delete() // error:
                _ = Row.createView(as: Row.all) // error:
                _ = With { Item.select { Row.Columns(item: $0.title, folder: "f") } } query: { Row.order(by: \\.item) }
            }
            """)
    }

    @Test
    func `A default scope is a query on the type itself`() throws {
        try expect(
            """
            @Table struct Scoped { let id: Int; var isOld = false; static let all = Self.where { !$0.isOld } }
            func scoped() { _ = Scoped.select(\\.id) }
            """)
    }
}
