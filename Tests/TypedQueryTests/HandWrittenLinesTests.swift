import StrongroomTables
import StrongroomTestSupport
import Testing

/// What both types have, so that one function makes the assertions.
protocol PlainColumns: PrimaryKeyedColumns where Key == TableColumn<Int> {
    var id: TableColumn<Int> { get }
    var title: TableColumn<String> { get }
    var stars: TableColumn<Int?> { get }
}
protocol PlainRow: PrimaryKeyedTable, Identifiable, Equatable
where
    TableColumns: PlainColumns, SideColumns == TableColumns, SideValue == Self, PrimaryKey == Int,
    ID == Int
{
    init(id: Int, title: String, stars: Int?)
    var title: String { get set }
    static func draft(title: String) -> Insert<Self>
}

/// A table by the macro.
@Table("plains") struct Made: Identifiable, Equatable {
    let id: Int
    var title = ""
    var stars: Int?
}
extension Made.TableColumns: PlainColumns {}
extension Made: PlainRow {
    static func draft(title: String) -> Insert<Made> { insert { Draft(title: title) } }
}

/// The same table, by hand.
struct Plain: Identifiable, Equatable {
    let id: Int
    var title = ""
    var stars: Int?
}

nonisolated extension Plain: PrimaryKeyedTable {
    typealias PrimaryKey = Int
    typealias Columns = Selection
    static let _layout = TableLayout(Plain.self, name: "plains")

    static func _describe(_ columns: inout ColumnDescriptions) {
        columns.add("id", Int.self, .primaryKey)
        columns.add("title", String.self, .hasDefault)
        columns.add("stars", Int?.self)
    }

    init(decoder: inout some QueryDecoder) throws {
        self.id = try decoder.decode(Int.self)
        self.title = try decoder.decode(String.self)
        self.stars = try decoder.decode(Int?.self)
    }

    func _encode(_ row: inout RowEncoder) {
        row.add(self.id, as: Int.self)
        row.add(self.title, as: String.self)
        row.add(self.stars, as: Int?.self)
    }

    struct TableColumns: PrimaryKeyedColumns, PlainColumns {
        typealias QueryValue = Plain
        let _table: TableReference
        init(_ table: TableReference, _ name: String) { self._table = table }
        var id: TableColumn<Int> { .init(_table, "id") }
        var title: TableColumn<String> { .init(_table, "title") }
        var stars: TableColumn<Int?> { .init(_table, "stars") }
        var primaryKey: TableColumn<Int> { id }
    }

    @dynamicMemberLookup
    struct OuterColumns: OuterColumnsProtocol {
        typealias QueryValue = Plain?
        typealias Inner = TableColumns
        let _table: TableReference
        init(_ table: TableReference, _ name: String) { self._table = table }
        var id: TableColumn<Int?> { .init(_table, "id") }
        var title: TableColumn<String?> { .init(_table, "title") }
        var stars: TableColumn<Int?> { .init(_table, "stars") }
        var primaryKey: TableColumn<Int?> { id }
    }

    struct Selection: SelectionColumns {
        typealias QueryValue = Plain
        let _resultColumns: [ResultColumn]
        init(
            id: some QueryExpression<Int>, title: some QueryExpression<String> = "",
            stars: some QueryTerm<Int> = Int?.none
        ) {
            self._resultColumns = Plain._name([id, title, stars])
        }
    }

    struct Draft: TableDraft {
        typealias DraftedTable = Plain
        typealias TableColumns = Plain.TableColumns
        typealias OuterColumns = Plain.OuterColumns
        var id: Int?
        var title = ""
        var stars: Int?

        func _encode(_ row: inout RowEncoder) {
            row.addUnlessNil(self.id, as: Int.self)
            row.add(self.title, as: String.self)
            row.add(self.stars, as: Int?.self)
        }

        static func _copy(_ row: Plain) -> Self {
            Self(id: row.id, title: row.title, stars: row.stars)
        }
    }
}
extension Plain: PlainRow {
    static func draft(title: String) -> Insert<Plain> { insert { Draft(title: title) } }
}

@Suite struct HandWrittenLinesTests {
    private func expectAll<T: PlainRow>(_ type: T.Type) throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        let insert = T.insert {
            T(id: 1, title: "a", stars: nil)
            T(id: 2, title: "b", stars: 3)
        }
        #expect(
            insert.debugSQL == """
                INSERT INTO "plains" ("id", "title", "stars") VALUES (1, 'a', NULL), (2, 'b', 3)
                """)
        let some = T.where { $0.stars > 2 }.order(by: \.title)
        #expect(
            some.debugSQL == """
                SELECT "plains"."id", "plains"."title", "plains"."stars" FROM "plains" \
                WHERE "plains"."stars" > 2 ORDER BY "plains"."title"
                """)
        try queue.write { (db) throws in
            try db.execute(
                sql: "CREATE TABLE plains (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars)")
            try insert.execute(db)
            try T.draft(title: "c").execute(db)
            #expect(try some.fetchAll(db) == [T(id: 2, title: "b", stars: 3)])
            var row = try T.find(3).fetchOne(db)
            #expect(row == T(id: 3, title: "c", stars: nil))
            row?.title = "d"
            if let row { try T.update(row).execute(db) }
            try T.find(1).update { $0.stars = 9 }.execute(db)
            #expect(try T.order(by: \.id).select(\.title).fetchAll(db) == ["a", "b", "d"])
            #expect(try T.select { $0.stars.max() }.fetchAll(db) == [9])
            if let row { try T.delete(row).execute(db) }
            #expect(
                try T.where { $0.title.in(["a", "d"]) }.delete().returning(\.id).fetchAll(db) == [1]
            )
            #expect(try T.fetchCount(db) == 1)
            #expect(T.schema.columns.map(\.name) == ["id", "title", "stars"])
            #expect(try db.mismatches(of: [T.self]).allSatisfy { $0.severity != .error })
        }
        try queue.close()
    }

    private enum Other: AliasName {}

    @Test(.proves("MOD-007"))
    func `a table by hand is the table of the macro`() throws {
        try expectAll(Made.self)
        try expectAll(Plain.self)
        #expect(Made.schema.columns == Plain.schema.columns)
        #expect(
            Made.select { Made.Columns(id: $0.id, title: $0.title.upper()) }.debugSQL
                == Plain.select { Plain.Columns(id: $0.id, title: $0.title.upper()) }.debugSQL)
        #expect(
            Made.leftJoin(Made.as(Other.self)) { $0.id.eq($1.stars) }.select { $1.title }.debugSQL
                == Plain.leftJoin(Plain.as(Other.self)) { $0.id.eq($1.stars) }
                .select { $1.title }.debugSQL)
    }
}
