import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = HookTables

extension MergePolicy { fileprivate static let longest = MergePolicy(rawValue: "longest") }

@Suite struct PolicyTests {
    @Test(.proves("THK-08"))
    func `a declaration's policies are in the schema of its type`() throws {
        let schema = Rack.schema
        #expect(
            schema.policies
                == TablePolicies(onConflictingDelete: .updateWins, renamedFrom: "Racks"))
        let columns = Dictionary(
            uniqueKeysWithValues: schema.columns.map { ($0.name, $0.policies) })
        #expect(columns["id"] == ColumnPolicies())
        #expect(columns["title"] == ColumnPolicies(merge: .latest))
        #expect(columns["count"] == ColumnPolicies(merge: .sum, renamedFrom: "Number"))
        #expect(columns["owner"] == ColumnPolicies(owner: true))
        // A group gives its policy to the members that have none.
        #expect(columns["width"]?.merge == .longest && columns["depth"]?.merge == .union)
        #expect(HookItem.schema.policies == TablePolicies())
    }

    @Test(.proves("THK-08"))
    func `files keep them, and files without them are read and written as before`() throws {
        let directory = try TemporaryDirectory()
        let url = URL(fileURLWithPath: directory.path(of: "tables.json"))
        try TableSchema.write([Rack.self, HookItem.self], to: url)
        #expect(
            try TableSchema.read(from: url) == [HookItem.schema, Rack.schema])
        #expect(try String(contentsOf: url, encoding: .utf8).contains("\"version\" : 2"))
        try TableSchema.write([HookItem.self], to: url)
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("\"version\" : 1") && !text.contains("merge"))
        let old = """
            {"version": 1, "tables": [{"name": "t", "type": "T", "columns":
            [{"name": "a", "type": "Int", "affinity": "INTEGER", "keyPosition": 1}]}]}
            """
        try old.write(to: url, atomically: true, encoding: .utf8)
        let table = try #require(try TableSchema.read(from: url).first)
        #expect(table.policies == TablePolicies() && table.columns[0].policies == ColumnPolicies())
        try old.replacing("version\": 1", with: "version\": 3")
            .write(to: url, atomically: true, encoding: .utf8)
        #expect(throws: SchemaFileError.self) { try TableSchema.read(from: url) }
    }

    @Test(.proves("THK-08"))
    func `they have no effect here`() throws {
        let fixture = try HookFixture()
        try fixture.queue.write { db in
            let rack = Rack(id: UUID(), title: "a", number: 2)
            try Rack.insert { rack }.execute(db)
            #expect(try Rack.fetchAll(db) == [rack])
            #expect(try db.mismatches(of: [Rack.self]) == [])
        }
    }

    private func changed(_ change: (inout TableSchema) -> Void) throws -> Bool {
        var schema = Rack.schema
        change(&schema)
        return try schema.fingerprint != Rack.schema.fingerprint
    }

    @Test(.proves("THK-07"))
    func `the fingerprint changes with what is stored, and with policies`() throws {
        let changes: [(inout TableSchema) -> Void] = [
            { $0.columns.removeLast() },
            { $0.columns.append(TableSchema.Column("x", type: "Int", affinity: .integer)) },
            { $0.columns[1].name = "titel" },
            { $0.columns[1].affinity = .blob },
            { $0.columns[1].isOptional = true },
            { $0.columns[0].keyPosition = nil },
            { $0.columns[1].keyPosition = 2 },
            { $0.columns[0].representation = "UUID.UppercasedRepresentation" },
            { $0.columns[1].policies.merge = .sum },
            { $0.columns[1].policies.isOwner = true },
            { $0.columns[1].policies.renamedFrom = "x" },
            { $0.policies.onConflictingDelete = .deleteWins },
            { $0.policies.onConflictingDelete = nil },
            { $0.policies.renamedFrom = nil },
        ]
        for (index, change) in changes.enumerated() {
            #expect(try changed(change), "change \(index)")
        }
        // No text of one column can be taken for another column.
        let parts = try changed {
            $0.columns[1].policies.renamedFrom = "a:b"
            $0.columns[2].policies.renamedFrom = nil
        }
        #expect(parts)
        #expect(try Rack.schema.fingerprint.wholeMatch(of: /[0-9a-f]{64}/) != nil)
    }

    @Test(.proves("THK-07"))
    func `the fingerprint does not change with what is not stored`() throws {
        let changes: [(inout TableSchema) -> Void] = [
            { $0.columns.reverse() },
            { $0.columns[1].property = "caption" },
            { $0.columns[1].type = "Caption" },
            { $0.columns[1].name = "TITLE" },
            { $0.columns[1].hasDefault.toggle() },
            { $0.columns[1].isLazy.toggle() },
            { $0.typeName = "Other" },
            { $0.name = "others" },
            { $0.schemaName = "aux" },
            { $0.columns[1].representation = "Caption.RawRepresentation" },
            {
                var column = TableSchema.Column("x", type: "Int", affinity: .integer)
                column.isGenerated = true
                $0.columns.append(column)
            },
        ]
        for (index, change) in changes.enumerated() {
            #expect(try !changed(change), "change \(index)")
        }
    }

    @Test(.proves("THK-07"))
    func `a fingerprint is the same in every version`() throws {
        var schema = TableSchema(
            "T", name: "t", columns: [TableSchema.Column("a", type: "Int", affinity: .integer)])
        #expect(try schema.fingerprint == Self.known[0])
        schema.columns[0].policies.merge = .latest
        schema.policies.onConflictingDelete = .deleteWins
        #expect(try schema.fingerprint == Self.known[1])
    }

    /// By another program: SHA-256 of the text that the documentation of the function describes.
    private static let known = [
        "9720eda90b5724dcc3be5a63513f033f7789b27658c540207e88872e4b802ebb",
        "221240daa8581699a8048616ceed07e954e60ecb6c442468e0dcfe2c2e7c56da",
    ]

    @Test(.proves("THK-10"))
    func `an insert that leaves a UUID to a column without default says which default makes one`()
        throws
    {
        let fixture = try HookFixture()
        try fixture.queue.write { db in
            let draft = Rack.Draft(title: "x")
            let error = DatabaseError.thrown { try Rack.insert { draft }.execute(db) }
            let message = try #require(error?.message)
            #expect(message.hasPrefix("NOT NULL constraint failed: shelves.id"))
            let sql = try #require(Rack.schema.columns[0].randomUUIDSQL)
            #expect(message.contains("DEFAULT (\(sql))"))
            let given = Rack.Draft(id: UUID(), title: "x")
            try db.execute(sql: "ALTER TABLE shelves ADD COLUMN more NOT NULL DEFAULT 0")
            try Rack.insert { given }.execute(db)
            // Done as it says, the insert works, for each representation.
            try db.execute(
                sql: """
                    DROP TABLE shelves; CREATE TABLE shelves (id TEXT PRIMARY KEY NOT NULL
                    DEFAULT (\(sql)), title, "count", owner, width, depth, isHidden);
                    """)
            try Rack.insert { draft }.execute(db)
            try Rack.insert { draft }.execute(db)
            let ids = try Rack.select(\.id).fetchAll(db)
            #expect(Set(ids).count == 2)
            let text = try #require(try String.fetchOne(db, sql: "SELECT id FROM shelves"))
            let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            #expect(text.wholeMatch(of: form) != nil)
            let bytes = try #require(Crew.schema.columns[0].randomUUIDSQL)
            try db.execute(
                sql: """
                    CREATE TABLE crews (id BLOB PRIMARY KEY NOT NULL DEFAULT (\(bytes)), name)
                    """)
            try Crew.insert { Crew.Draft(name: "a") }.execute(db)
            #expect(try Crew.fetchAll(db).map(\.id.uuid.6).allSatisfy { $0 >> 4 == 4 })
            #expect(HookItem.schema.columns[0].randomUUIDSQL == nil)
        }
    }
}
