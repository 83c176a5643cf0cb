import StrongroomTables
import StrongroomTestSupport
import Testing

/// A record with associations, which need not be Codable.
@Record private struct Novelist: Codable, Equatable, PersistableRecord {
    static let databaseTableName = "novelist"
    static let novels = hasMany(Novel.self)
    let id: Int64
    var name: String
}
@Record private struct Novel: Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "novel"
    static let novelist = belongsTo(Novelist.self)
    let id: Int64
    var title: String
    var novelistID: Int64?
}
extension Novelist: FetchableRecord {}

/// Records of both kinds, single, optional and many.
@Record private struct Shelved: Equatable, FetchableRecord {
    var novel: Novel
    var novelist: Novelist?
}
@Record private struct Signed: Equatable, FetchableRecord {
    var novel: Novel
    var novelist: Novelist
}
@Record private struct Oeuvre: Equatable, FetchableRecord {
    var novelist: Novelist
    var novels: [Novel]
    var novelCount: Int?
}
@Record private struct Circle: Codable, Equatable {
    var novelist: Novelist
    var pupils: [Novelist]
    var teacher: Novelist?
}

@Suite("Associations of records that '@Record' writes")
struct RecordMacroAssociationTests {
    private func withLibrary<T>(_ body: (Database) throws -> T) throws -> T {
        let fixture = try FixtureDatabase()
        return try fixture.open().write { db in
            try db.create(table: "novelist") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("name", .text)
            }
            try db.create(table: "novel") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("title", .text)
                t.column("novelistID", .integer).references("novelist")
            }
            try Novelist(id: 1, name: "Ann").insert(db)
            try Novelist(id: 2, name: "Bob").insert(db)
            try Novel(id: 1, title: "Dawn", novelistID: 1).insert(db)
            try Novel(id: 2, title: "Dusk", novelistID: 1).insert(db)
            try Novel(id: 3, title: "Lost").insert(db)
            return try body(db)
        }
    }

    @Test(.proves("BYD-031"))
    func `One associated record, required or optional`() throws {
        try withLibrary { db in
            let optional = Novel.including(optional: Novel.novelist).orderByPrimaryKey()
            let shelved = try Shelved.fetchAll(db, optional)
            #expect(shelved.map(\.novel.title) == ["Dawn", "Dusk", "Lost"])
            #expect(shelved.map(\.novelist?.name) == ["Ann", "Ann", nil])
            #expect(try Novel.filter { $0.title > "Dusk" }.order(\.title).fetchCount(db) == 1)
            let required = Novel.including(required: Novel.novelist).orderByPrimaryKey()
            let signed = try Signed.fetchAll(db, required)
            #expect(
                signed.map(\.novelist)
                    == [Novelist](repeating: Novelist(id: 1, name: "Ann"), count: 2))
        }
    }

    @Test(.proves("BYD-031"))
    func `Many associated records, and a number beside them`() throws {
        try withLibrary { db in
            let request = Novelist.including(all: Novelist.novels)
                .annotated(with: Novelist.novels.count).orderByPrimaryKey()
            let all = try Oeuvre.fetchAll(db, request)
            #expect(all.map(\.novelist.name) == ["Ann", "Bob"])
            #expect(all.map { $0.novels.map(\.title).sorted() } == [["Dawn", "Dusk"], []])
            #expect(all.map(\.novelCount) == [2, 0])
        }
    }

    @Test(.proves("BYD-031"))
    func `What was not fetched is missing, or an error`() throws {
        try withLibrary { db in
            let plain = try Shelved.fetchOne(db, Novel.filter(key: 1))
            #expect(plain == Shelved(novel: Novel(id: 1, title: "Dawn", novelistID: 1)))
            #expect(throws: RowDecodingError.self) {
                try Oeuvre.fetchOne(db, Novelist.all())
            }
        }
    }

    /// Rows with scopes and prefetched rows, made by hand: both read the same.
    @Test(.proves("BYD-031"))
    func `Codable records with associations are those that Codable reads`() throws {
        try withLibrary { db in
            let adapter = ScopeAdapter([
                "novelist": RangeRowAdapter(0..<2), "teacher": RangeRowAdapter(2..<4),
            ])
            let request = SQLRequest<Row>(
                sql: """
                    SELECT 1 AS id, 'Ann' AS name, 2 AS id, 'Bob' AS name
                    UNION ALL SELECT 1, 'Ann', NULL, NULL
                    UNION ALL SELECT NULL, NULL, NULL, NULL
                    """, adapter: adapter)
            for row in try Row.fetchAll(db, request) {
                var row = row
                expectSame(Circle.self, row)
                row.setPrefetchedRows([["id": 3, "name": "Eve"]], forKey: "pupils")
                expectSame(Circle.self, row)
            }
        }
    }

    private func expectSame<Base: Codable & FetchableRecord & EncodableRecord>(
        _ type: Base.Type, _ row: Row
    ) {
        func outcome(_ body: () throws -> Base) -> String {
            do { return String(reflecting: try body()) } catch { return "\(error)" }
        }
        #expect(
            outcome { try Base(row: row) } == outcome { try Coded<Base>(row: row).base })
    }
}
