import Foundation
import Strongroom
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct SharedTableTests {
    private func table(_ sql: String, _ table: SyncedTable) throws -> SharedTable {
        let database = try FixtureDatabase()
        let queue = try database.open()
        return try queue.write { db throws in
            try db.execute(sql: sql)
            let stored = try #require(try db.storedTable(table.name, in: "main"))
            return SharedTable(table, stored)
        }
    }

    private func groups(_ columns: String, _ declaration: SyncedTable = SyncedTable("t")) throws
        -> [[String]]
    {
        let table = try table(
            "CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, \(columns))", declaration)
        return table.groups.map { $0.map { table.columns[$0].name } }
    }

    @Test(.proves("SYN-047"))
    func `columns that one CHECK names are a group, and groups that meet are one`() throws {
        #expect(try groups("a, b, c, d") == [])
        #expect(try groups("a CHECK (a > 1), b, c") == [])
        #expect(try groups("a, b CHECK (a < b), c, d") == [["a", "b"]])
        #expect(
            try groups(#"a, "b c", "select", d, CHECK ("B C" + [select] > 2)"#) == [
                ["b c", "select"]
            ])
        #expect(
            try groups("a, b, c, d, CHECK (a < b), CHECK (c < d)") == [["a", "b"], ["c", "d"]])
        #expect(try groups("a, b, c, d, CHECK (a < b), CHECK (b < d)") == [["a", "b", "d"]])
        // A text is no name, and the key does not change.
        #expect(try groups("a, b, c, CHECK (a <> 'b' AND id > c)") == [["a", "c"]])
        #expect(try groups("a, b, c AS (a + b), d, CHECK (c > 1)") == [["a", "b", "d"]])
        #expect(
            try groups("a, b, c, d, CHECK (a < b)", SyncedTable("t", groups: [["B", "d"]])) == [
                ["a", "b", "d"]
            ])
        #expect(try groups("a, b, c", SyncedTable("t", row: .whole)) == [["a", "b", "c"]])
    }

    @Test(.proves("SYN-274"))
    func `columns that are computed, and the key, are left out, and first names are kept`() throws {
        let table = try table(
            "CREATE TABLE T (A INT, b TEXT, c AS (a) STORED, d AS (a), e NOT NULL DEFAULT 7, PRIMARY KEY (b, A))",
            SyncedTable("t", renamedFrom: "Old", renamedColumns: ["E": "First", "a": "Number"]))
        #expect(table.wireName == "old" && table.keyWireNames == ["b", "number"])
        #expect(table.columns.map(\.name) == ["e"] && table.columns.map(\.wireName) == ["first"])
        #expect(table.columns[0].defaultSQL == "7" && table.columns[0].isNotNull)
    }

    @Test(.proves("SYN-274", "THK-08"))
    func `a typed table has the policies of its declaration`() throws {
        var id = TableSchema.Column("id", type: "UUID", affinity: .text)
        id.keyPosition = 1
        var score = TableSchema.Column("points", type: "Int", affinity: .integer)
        score.policies = ColumnPolicies(merge: .sum, renamedFrom: "score")
        var best = TableSchema.Column("best", type: "Int", affinity: .integer)
        best.policies = ColumnPolicies(merge: .maximum, owner: true)
        var schema = TableSchema("Player", name: "players", columns: [id, score, best])
        schema.policies = TablePolicies(onConflictingDelete: .updateWins, renamedFrom: "player")
        var expected = SyncedTable(
            "players", merge: ["points": .counter, "best": .maximum],
            onConflictingDelete: .editWins,
            renamedFrom: "player", renamedColumns: ["points": "score"])
        expected.owners = ["best"]
        #expect(SyncedTable(schema) == expected)
        #expect(MergePolicy.counter == .sum && MergePolicy.minimum.rawValue == "minimum")
    }

    @Test(.proves("SYN-029"))
    func `a declaration is read as it was written, and one that lacks what came later`() throws {
        var full = SyncedTable(
            "t", merge: ["a": .counter], unique: ["u": .hold], onConflictingDelete: .editWins,
            acyclic: "p", row: .whole, keys: .application, groups: [["b", "c"]],
            clamp: ["a": -5...7], absent: ["d": "1"], renamedFrom: "o", renamedColumns: ["b": "x"])
        full.watchesRowNumbers = true
        full.owners = ["p"]
        for table in [full, SyncedTable("t")] {
            let data = try JSONEncoder().encode(table)
            #expect(try JSONDecoder().decode(SyncedTable.self, from: data) == table)
        }
        let short = try JSONDecoder().decode(SyncedTable.self, from: Data(#"{"name": "t"}"#.utf8))
        #expect(short == SyncedTable("t"))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SyncedTable.self, from: Data("{}".utf8))
        }
    }

    @Test(.proves("SYN-057"))
    func `policies have a fingerprint, and what differs is named with both`() throws {
        let sql =
            "CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, p TEXT REFERENCES t, a INT, b INT, c INT)"
        func policies(_ declaration: SyncedTable, _ more: String = "") throws -> TablePolicySet {
            try table(sql + more, declaration).policySet
        }
        let mine = try policies(SyncedTable("t", merge: ["a": .counter]))
        #expect(mine.mismatches(with: mine) == [])
        let others: [(SyncedTable, [String])] = [
            (SyncedTable("t"), ["t.a: sum here, latest there"]),
            (
                SyncedTable("t", merge: ["a": .counter], clamp: ["a": 0...5]),
                ["t.a: sum here, sum 0...5 there"]
            ),
            (
                SyncedTable(
                    "t", merge: ["a": .counter, "b": .maximum], onConflictingDelete: .editWins),
                [
                    "t: onConflictingDelete: deleteWins here, onConflictingDelete: updateWins there",
                    "t.b: latest here, maximum there",
                ]
            ),
            (
                SyncedTable("t", merge: ["a": .counter], acyclic: "p"),
                ["t: acyclic:  here, acyclic: p there"]
            ),
            (
                SyncedTable("t", merge: ["a": .counter], groups: [["b", "c"]]),
                [
                    "t.b: latest here, latest with b, c there",
                    "t.c: latest here, latest with b, c there",
                ]
            ),
        ]
        for (declaration, words) in others {
            let theirs = try policies(declaration)
            #expect(mine.mismatches(with: theirs).map(\.description) == words)
            #expect(try mine.fingerprint != theirs.fingerprint)
        }
        // Names in the file, their case and the order of declarations do not count.
        let renamed = try table(
            "CREATE TABLE T2 (ID TEXT PRIMARY KEY NOT NULL, A2 INT, p TEXT, b INT, c INT)",
            SyncedTable(
                "t2", merge: ["A2": .counter], renamedFrom: "T", renamedColumns: ["a2": "a"])
        ).policySet
        #expect(try renamed.fingerprint == mine.fingerprint)
        // Another version may have more columns.
        let later = try policies(
            SyncedTable("t", merge: ["a": .counter, "d": .minimum]), "; ALTER TABLE t ADD COLUMN d")
        #expect(mine.mismatches(with: later) == [] && later.mismatches(with: mine) == [])
    }
}
