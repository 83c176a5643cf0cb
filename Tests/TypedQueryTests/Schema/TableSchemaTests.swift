import StrongroomTables
import StrongroomTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Schemas of types")
struct TableSchemaTests {
    private typealias Column = TableSchema.Column

    private func column(
        _ name: String, _ type: String, _ affinity: SQLiteTypeAffinity,
        _ change: (inout Column) -> Void = { _ in }
    ) -> Column {
        var column = Column(name, type: type, affinity: affinity)
        change(&column)
        return column
    }

    @Test(.proves("GEN-001"))
    func `tell all that a type declares, without an instance`() throws {
        let expected = TableSchema(
            "Ship", name: "ships",
            columns: [
                column("id", "Int", .integer) { $0.keyPosition = 1 },
                column("name", "String", .text) { $0.hasDefault = true },
                column("due_at", "Date?", .text) {
                    $0.property = "due"
                    $0.isOptional = true
                },
                column("builtAt", "Date", .integer) {
                    $0.representation = "Date.UnixTimeRepresentation"
                },
                column("flags", "Array<String>", .text) {
                    $0.representation = "Array<String>.JSONRepresentation"
                },
                column("berth", "String", .text) {
                    $0.property = "mooring.berth"
                    $0.hasDefault = true
                },
                column("depth", "Double?", .real) {
                    $0.property = "mooring.depth"
                    $0.isOptional = true
                },
                column("label", "String?", .text) {
                    $0.isOptional = true
                    $0.isGenerated = true
                },
                column("token", "UUID", .text) { $0.isLazy = true },
            ])
        #expect(Ship.schema == expected)
        #expect(Set([Ship.schema, expected]).count == 1)
        #expect(CrateOfLot.schema.columns.map(\.keyPosition) == [1, 2, nil])
        #expect(CrateView.schema.kind == .view && !CrateView.schema.isFullText)
        #expect(CrateWithoutRowID.schema.kind == .withoutRowID)
        #expect(Notice.schema.isFullText)
        #expect(Spare.schema.schemaName == "aux" && Spare.schema.name == "spare")
        #expect(Crate.schema.schemaName == nil && Crate.schema.kind == .table)
        let all: [any StrongroomTables.Table.Type] = [Ship.self, Spare.self, CrateView.self]
        for schema in all.map({ $0.schema }) {
            let data = try JSONEncoder().encode(schema)
            #expect(try JSONDecoder().decode(TableSchema.self, from: data) == schema)
        }
    }

    @Test(.proves("GEN-011"))
    func `are written sorted, and the same each time`() throws {
        let directory = try TemporaryDirectory()
        let url = URL(fileURLWithPath: directory.path(of: "tables.json"))
        let types: [any StrongroomTables.Table.Type] = [
            Ship.self, CrateWithoutRowID.self, Seal.self, Notice.self,
        ]
        try TableSchema.write(types, to: url)
        let text = try String(contentsOf: url, encoding: .utf8)
        try GoldenFile("Schema/tables.json").expect(text)
        try TableSchema.write(types.reversed(), to: url)
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
        let schemas = try TableSchema.read(from: url)
        #expect(Set(schemas) == Set(types.map { $0.schema }))
        // The file of before, against a type of now.
        let database = try SchemaDatabase()
        try database.queue.write { db in
            try db.execute(sql: Ship.sql + "; ALTER TABLE ships DROP COLUMN due_at")
            let old = schemas.filter { $0.typeName == "Ship" }
            #expect(try db.mismatches(of: old) == db.mismatches(of: [Ship.self]))
            #expect(try db.mismatches(of: old).map(\.column) == ["due_at"])
        }
    }

    @Test(
        arguments: [
            ("", "it is not JSON"), ("[", "it is not JSON"),
            ("[]", "it has a value of another type"),
            ("{}", "it has no field \"version\""),
            (#"{"version": "1"}"#, "version has a value of another type"),
            (#"{"version": 0, "tables": []}"#, "version 0 never was"),
            (
                #"{"version": 3, "tables": 7}"#,
                "it has version 3; this strongroom reads up to version 2"
            ),
            (#"{"version": 1}"#, "it has no field \"tables\""),
            (#"{"version": 1, "tables": [], "more": 1}"#, "it has an unknown field \"more\""),
            (
                #"{"version": 1, "tables": [{"name": "a", "columns": [], "kinds": "view"}]}"#,
                "tables[0] has an unknown field \"kinds\""
            ),
            (
                #"{"version": 1, "tables": [{"name": "a", "columns": [{"name": "b"}]}]}"#,
                "tables[0].columns[0] has no field \"type\""
            ),
            (
                #"{"version": 1, "tables": [{"name": "a", "kind": "shelf", "columns": []}]}"#,
                "tables[0].kind has a value that is not known"
            ),
        ])
    func `are refused in a file that was written by hand`(_ text: String, _ reason: String) throws {
        let directory = try TemporaryDirectory()
        let url = URL(fileURLWithPath: try directory.write(text, to: "tables.json"))
        let error = #expect(throws: SchemaFileError.self) { try TableSchema.read(from: url) }
        #expect(error?.description == reason)
    }
}
