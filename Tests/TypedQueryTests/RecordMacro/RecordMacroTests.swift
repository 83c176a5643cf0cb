import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite("Records that '@Record' writes are those of Codable")
struct RecordMacroTests {
    /// What both make of a record: columns and values, or the error.
    private func stored(_ record: some EncodableRecord) -> String {
        outcome { try record.databaseDictionary.sorted { $0.key < $1.key } }
    }

    /// The error of an optional names now the optional, now what it wraps: the one thing that differs.
    private func outcome(_ body: () throws -> some Any) -> String {
        do {
            // A dictionary has no order.
            return String(reflecting: try body()).replacing(/scores: \[(.*?)\]/) { match in
                "scores: \(match.1.split(separator: ", ").sorted())"
            }
        } catch {
            return "\(type(of: error)): \(error)".replacing(/decode Optional<(\w+)>/) {
                "decode \($0.1)"
            }
        }
    }

    private func expectSameColumns<Base: Codable & FetchableRecord & EncodableRecord>(
        _ record: Base
    ) {
        #expect(stored(record) == stored(Coded(record)))
    }

    @Test(.proves("BYD-031"))
    func `Values are stored alike`() {
        for seed in 0..<200 {
            var random = RandomRecords(seed: UInt64(seed))
            expectSameColumns(random.plain())
            expectSameColumns(random.rich())
            expectSameColumns(random.chosen())
            expectSameColumns(Keyed(id: seed, name: "n\(seed)", default: seed % 2 == 0 ? nil : 1))
        }
        #expect(stored(RandomRecords.plainExample).contains("\"default\""))
        #expect(stored(RandomRecords.chosenExample).contains("home_address"))
    }

    /// Both read rows that nobody has written for them: any value in any column, some missing.
    private func expectSameRecords<Base: Codable & FetchableRecord & EncodableRecord>(
        _ type: Base.Type, columns: [String], seeds: Range<UInt64>
    ) throws {
        var read = 0
        try DatabaseQueue().read { db in
            for seed in seeds {
                var random = RandomRecords(seed: seed)
                let (sql, arguments) = random.select(columns)
                let mine = outcome { try Base.fetchOne(db, sql: sql, arguments: arguments)! }
                let codable = outcome {
                    try Coded<Base>.fetchOne(db, sql: sql, arguments: arguments)!.base
                }
                #expect(mine == codable, "\(sql) \(arguments)")
                if !mine.contains("Error") { read += 1 }
                // A kept row converts by itself, not by SQLite.
                let row = try Row.fetchOne(db, sql: sql, arguments: arguments)!
                #expect(
                    outcome { try Base(row: row) } == outcome { try Coded<Base>(row: row).base },
                    "\(sql) \(arguments)")
            }
        }
        // Not all fail.
        #expect(read > seeds.count / 20, "\(read)")
    }

    @Test(.proves("BYD-031"))
    func `Rows of any content are read alike, or refused alike`() throws {
        try expectSameRecords(
            Simple.self,
            columns: [
                "id", "name", "note", "count", "small", "byte", "wide", "isOpen", "isNew", "price",
                "weight", "default", "link", "level", "other",
            ], seeds: 0..<1500)
        try expectSameRecords(
            Rich.self,
            columns: [
                "at", "due", "bytes", "more", "key", "parent", "medal", "medals", "address",
                "second", "tag", "maybe", "scores", "list",
            ], seeds: 0..<1500)
        try expectSameRecords(
            Chosen.self,
            columns: [
                "taken_at", "due_at", "raw_bytes", "own_key", "parent_key", "home_address",
                "all_tags",
            ], seeds: 0..<1500)
    }

    @Test(.proves("BYD-031"))
    func `What was written is read again`() throws {
        try DatabaseQueue().write { db in
            for seed in 0..<50 {
                var random = RandomRecords(seed: UInt64(seed))
                let record = random.plain()
                let columns = try record.databaseDictionary
                let sql =
                    "SELECT "
                    + columns.keys.map { "? AS \($0.quotedDatabaseIdentifier)" }
                    .joined(separator: ", ")
                let row = try #require(
                    try Simple.fetchOne(
                        db, sql: sql, arguments: StatementArguments(columns.values)))
                #expect(String(reflecting: row) == String(reflecting: record))
            }
        }
    }

    @Test(.proves("BYD-031", "BYD-032"))
    func `Keys and columns have the names of the coding keys`() throws {
        let keyed = Keyed(id: 7, name: "Ada", default: 3, cache: [1])
        #expect(
            try keyed.databaseDictionary
                == [
                    "player_id": 7.databaseValue, "name": "Ada".databaseValue,
                    "it's \"quoted\"": 3.databaseValue,
                ])
        #expect(Keyed.Columns.id.name == "player_id")
        #expect(Keyed.Columns.default.name == "it's \"quoted\"")
        #expect(Chosen.Columns.homeAddress.name == "home_address")
        let row: Row = ["PLAYER_ID": 7, "name": "Ada", "cache": "[2]"]
        #expect(try Keyed(row: row) == Keyed(id: 7, name: "Ada"))
    }
}
