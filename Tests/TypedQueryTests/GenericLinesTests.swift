import Foundation
import Strongroom
import StrongroomTables
import StrongroomTablesTesting
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Made.TableColumns, Plain.TableColumns, Packet.TableColumns, Loan.TableColumns,
    BookShelf.TableColumns, Tome.TableColumns, Member.TableColumns,
    Trait.TableColumns, GrowNote.TableColumns, Variety.TableColumns, Trial.TableColumns
)

@Table(naming: .singular) struct HerbBed: Identifiable { let id: Int; var size = 1 }
@Table struct Plot: Identifiable { let id: Int }
@Table("bookShelves")
struct BookShelf: Identifiable, Codable, FetchableRecord, TableRecord, Equatable {
    let id: Int
    var name = ""
    static let tomes = hasMany(Tome.self, using: ForeignKey(["shelfID"]))
}
@Table struct Tome: Identifiable, Codable, FetchableRecord, TableRecord, Equatable {
    let id: Int
    var title = ""
    var shelfID: Int
    static let shelf = belongsTo(
        BookShelf.self, key: "shelf", using: ForeignKey(["shelfID"]))
}
private struct TomeInfo: Decodable, FetchableRecord, Equatable {
    var tome: Tome
    var shelf: BookShelf
}
@Selection struct TwinGroup { var name = "" }
@Table struct TwinTable { let id: Int; @Column("NAME") var label = ""; var twin = TwinGroup() }
@Selection enum TwinCase { case left(TwinGroup), right(TwinGroup) }
@Table struct Measured {
    let id: Int
    var size: Int?
    @Column("made_at", as: Date.UnixTimeRepresentation.self) var madeAt: Date
    var twin = TwinGroup()
    @Column(generated: .stored) let doubled: Int?
}

/// Generic code, which knows nothing of a table but what the protocols tell.
private func describe<T: PrimaryKeyedTable>(_ type: T.Type) -> [String] {
    let key = T.columns.primaryKey.queryFragment.description
    return [key] + T.TableColumns.allColumns.map(\.name)
}

@Suite struct GenericLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TBL-055"))
    func `generic code finds the columns of a table`() throws {
        #expect(describe(Made.self) == ["\"plains\".\"id\"", "id", "title", "stars"])
        #expect(
            Measured.TableColumns.allColumns.map(\.name)
                == ["id", "size", "made_at", "name", "doubled"])
        #expect(
            Measured.TableColumns.writableColumns.map(\.name) == ["id", "size", "made_at", "name"])
        #expect(Measured.TableColumns.allColumns[0] is TableColumn<Int>)
        #expect(Measured.TableColumns.allColumns[1] is TableColumn<Int?>)
        #expect(
            Measured.TableColumns.allColumns[2] is TableColumn<Date.UnixTimeRepresentation>)
        #expect(Measured.TableColumns.allColumns[4] is GeneratedColumn<Int?>)
        let schema = Measured.schema
        #expect(schema.columns.map(\.property) == ["id", "size", "madeAt", "twin.name", "doubled"])
        #expect(schema.columns.map(\.hasDefault) == [false, false, false, true, false])
        // They are expressions.
        let terms = Member.TableColumns.allColumns.prefix(2).map { "\($0.queryFragment)" }
        #expect(terms == ["\"members\".\"id\"", "\"members\".\"name\""])
    }

    @Test(.proves("TBL-017"))
    func `a table may have the name of records`() throws {
        #expect(HerbBed.tableName == "herbBed" && Plot.tableName == "plots")
        try library.queue.write { (db) throws in
            try db.execute(
                sql: "CREATE TABLE herbBed (id INTEGER PRIMARY KEY, size); CREATE TABLE plot (id)")
            try HerbBed.insert { HerbBed.Draft(size: 3) }.execute(db)
            #expect(try Int.fetchOne(db, sql: "SELECT size FROM herbBed") == 3)
            let error = #expect(throws: DatabaseError.self) { try Plot.fetchAll(db) }
            #expect(
                error?.message
                    == "no such table: plots \u{2014} the database has \"plot\"; "
                    + "see '@Table(naming:)'")
            let mismatches = try db.mismatches(of: [Plot.self])
            #expect(mismatches.count == 1 && "\(mismatches)".contains("plot"), "\(mismatches)")
        }
    }

    @Test(.proves("TBL-020"))
    func `equal names of a group and its table end the program, and the check reports them`()
        async throws
    {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = TwinTable.all.debugSQL }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "column \"name\" of TwinTable is declared twice: by 'label' and 'twin.name'"),
            "\(text)")
        let cases = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = TwinCase._layout }
        let caseText = String(decoding: cases?.standardErrorContent ?? [], as: UTF8.self)
        #expect(caseText.contains("of TwinCase is declared twice"), "\(caseText)")
        try expectMismatch()
    }

    private func expectMismatch() throws {
        try library.queue.write { (db) throws in
            try db.execute(sql: "CREATE TABLE twinTables (id INTEGER PRIMARY KEY, name)")
            let mismatches = try db.mismatches(of: [TwinTable.self])
            #expect(mismatches.contains { $0.severity == .error }, "\(mismatches)")
        }
    }

    private static let shelves = """
        CREATE TABLE bookShelves (id INTEGER PRIMARY KEY, name);
        CREATE TABLE tomes (id INTEGER PRIMARY KEY, title, shelfID REFERENCES bookShelves);
        """

    @Test(.proves("NAM-003"))
    func `names of SQLiteData that Strongroom has are called otherwise`() throws {
        func isFullText<T: FullTextTable>(_ type: T.Type) -> Bool { true }
        func columns<C: TableColumnsProtocol>(_ type: C.Type) -> C.QueryValue.Type {
            C.QueryValue.self
        }
        func isFunction(_ function: some TypedFunction) -> Bool { true }
        #expect(isFullText(GrowNote.self) && columns(Member.TableColumns.self) == Member.self)
        #expect(isFunction($namAddOne))
        // Those of Strongroom stand next to them.
        let alias = TableAlias(name: "m")
        let function = DatabaseFunction("plain", argumentCount: 0) { _ in 1 }
        try library.queue.write { (db) throws in
            try db.execute(sql: Self.shelves)
            db.add(function: function)
            try db.create(virtualTable: "texts", using: FTS5()) { $0.column("body") }
            try db.create(table: "others") { (table: TableDefinition) in table.column("id") }
            #expect(try Int.fetchOne(db, sql: "SELECT plain()") == 1)
            #expect(try BookShelf.aliased(alias).fetchCount(db) == 0)
        }
    }

    @Test(.proves("NAM-012"))
    func `associations of records name tables, and a typed select is their base`() throws {
        try library.queue.write { (db) throws in
            try db.execute(sql: Self.shelves)
            try BookShelf.insert {
                BookShelf(id: 1, name: "low")
                BookShelf(id: 2, name: "high")
            }.execute(db)
            try Tome.insert {
                Tome(id: 1, title: "a", shelfID: 2)
                Tome(id: 2, title: "b", shelfID: 1)
            }.execute(db)
            let request = Tome.including(required: Tome.shelf).asRequest(of: TomeInfo.self)
            let both = try request.fetchAll(db)
            #expect(both.map(\.shelf.name) == ["high", "low"] && both.map(\.tome.id) == [1, 2])
            #expect(try BookShelf.including(all: BookShelf.tomes).fetchCount(db) == 2)
            let typed = Tome.where { $0.title.eq("a") }
            let base = Tome.filter(literal: "tomes.id IN (\(SQL(typed.select(\.id))))")
            let some = try base.including(required: Tome.shelf).asRequest(of: TomeInfo.self)
                .fetchAll(db)
            #expect(some.map(\.tome.id) == [1])
        }
    }

    @Test(.proves("RUN-018"))
    func `SQL and rows are compared as text`() throws {
        let query = Trait.order(by: \.code).limit(2).select { ($0.code, $0.label) }
        let rows = try library.queue.read { try query.fetchAll($0) }
        let table = (["code  label"] + rows.map { "\($0.0)  \($0.1)" }).joined(separator: "\n")
        let sql = """
            SELECT "traits"."code", "traits"."label" FROM "traits" ORDER BY "traits"."code" LIMIT 2
            """
        let rendered = try library.queue.read { try $0.renderTable(query) }
        #expect(rendered.hasPrefix(sql + "\n"))
        let text = String(rendered.dropFirst(sql.count + 1))
        #expect(text.split(separator: "\n").count == 3 && text.hasPrefix("code"), "\(table)")
        try assertQuery(query, sql: sql, rows: text, in: library.queue)
        try withDefaultDatabase(library.queue) { try assertQuery(query, rows: text) }
        let found = Locked("")
        try withKnownIssue {
            try assertQuery(query, sql: sql + " ", rows: "code\nother", in: library.queue)
        } matching: { issue in
            found.withLock { $0 += issue.comments.map(\.rawValue).joined() }
            return true
        }
        let said = found.withLock { $0 }
        #expect(said.contains("the rows differ:") && !said.contains("the SQL differs"))
        #expect(said.contains("- other"), "\(said)")
        #expect(said.contains("+ \(text.split(separator: "\n")[1])"), "\(said)")
        try withKnownIssue {
            try assertQuery(query, sql: "SELECT 1", in: library.queue)
        } matching: { issue in
            issue.comments[0].rawValue.contains("- SELECT 1\n+ \(sql)")
        }
    }
}

@DatabaseFunction func namAddOne(_ number: Int) -> Int { number + 1 }
