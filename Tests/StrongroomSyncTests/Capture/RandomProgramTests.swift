import Foundation
import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Random SQL on tables of all kinds that have triggers, views and conflict clauses of an app.
struct RandomProgram {
    static let schema = """
        CREATE TABLE a (id TEXT PRIMARY KEY NOT NULL, u TEXT UNIQUE ON CONFLICT REPLACE, n, v INTEGER);
        CREATE TABLE b (x INT NOT NULL, y TEXT NOT NULL COLLATE NOCASE, a TEXT REFERENCES a ON DELETE CASCADE ON UPDATE CASCADE,
            n NUMERIC DEFAULT 3, PRIMARY KEY (x, y)) WITHOUT ROWID;
        CREATE TABLE c (id NOT NULL PRIMARY KEY, a TEXT DEFAULT 'k1' REFERENCES a ON DELETE SET DEFAULT ON UPDATE SET NULL,
            x INT, y TEXT, w, hits INTEGER NOT NULL DEFAULT 0, FOREIGN KEY (x, y) REFERENCES b ON DELETE SET NULL ON UPDATE CASCADE);
        CREATE TABLE e (a TEXT NOT NULL REFERENCES a ON DELETE CASCADE ON UPDATE CASCADE, y TEXT NOT NULL,
            PRIMARY KEY (a, y)) WITHOUT ROWID;
        CREATE TABLE d (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES d ON DELETE CASCADE, s TEXT, t TEXT AS (s || id) STORED, v INT);
        CREATE UNIQUE INDEX dt ON d (t, v) WHERE v > 1;
        CREATE UNIQUE INDEX cw ON c (lower(w)) WHERE w IS NOT NULL;
        CREATE INDEX ba ON b (a); CREATE INDEX ca ON c (a); CREATE INDEX cb ON c (x, y); CREATE INDEX dp ON d (parent);
        CREATE TRIGGER app1 AFTER UPDATE OF n ON a BEGIN UPDATE c SET hits = hits + 1 WHERE a = new.id; END;
        CREATE TRIGGER app2 AFTER INSERT ON b WHEN new.x > 2 BEGIN DELETE FROM d WHERE v = new.x; UPDATE b SET n = n + 1 WHERE x = 1; END;
        CREATE TRIGGER app3 BEFORE DELETE ON c BEGIN INSERT OR REPLACE INTO d (id, s, v) VALUES (old.hits, 'gone', 2); END;
        CREATE VIEW av AS SELECT id, n FROM a;
        CREATE TRIGGER app4 INSTEAD OF UPDATE ON av BEGIN UPDATE OR REPLACE a SET u = new.n, v = ifnull(v, 0) + 1 WHERE id = old.id; END;
        CREATE TRIGGER app5 INSTEAD OF INSERT ON av BEGIN INSERT INTO a (id, n) VALUES (new.id, new.n); END;
        CREATE TRIGGER app6 INSTEAD OF DELETE ON av BEGIN DELETE FROM a WHERE id = old.id; END;
        """
    static let declarations = [
        SyncedTable("a", merge: ["v": .maximum]), SyncedTable("b"),
        SyncedTable("c", merge: ["hits": .counter]), SyncedTable("d", keys: .application),
        SyncedTable("e"),
    ]

    var random: SeededGenerator

    mutating func pick(_ choices: String...) -> String { random.pick(choices) }

    mutating func value(_ column: String) -> String {
        switch column {
        case "id.a", "a": pick("'k1'", "'k2'", "'k3'", "'K1'", "NULL")
        case "x": pick("1", "2", "3", "4")
        case "y": pick("'p'", "'P'", "'q'", "'Q'")
        case "id.c": pick("1", "1.0", "'1'", "x'31'", "'c2'", "'C2'", "2.5")
        case "id.d", "parent": pick("1", "2", "3", "4", "5", "NULL")
        case "hits", "v": pick("0", "1", "2", "-3", "9223372036854775807")
        default: pick("'k1'", "'K1'", "3", "3.0", "'3'", "x'33'", "NULL", "''", "0.1", "'k2'")
        }
    }

    private static let columns = [
        "a": ["id", "u", "n", "v"], "b": ["x", "y", "a", "n"],
        "c": ["id", "a", "x", "y", "w", "hits"], "d": ["id", "parent", "s", "v"], "e": ["a", "y"],
        "av": ["id", "n"],
    ]

    private mutating func value(_ column: String, of table: String) -> String {
        value(column == "id" ? "id.\(table == "av" ? "a" : table)" : column)
    }

    private mutating func assignments(_ table: String) -> String {
        let columns = Self.columns[table] ?? []
        let count = Int.random(in: 1...2, using: &random)
        var names = Set((0..<count).map { _ in random.pick(columns) })
        if table == "d", pick("", "", "", "r") == "r" { names = ["rowid"] }
        return names.sorted().map { "\($0) = \(value($0 == "rowid" ? "id" : $0, of: table))" }
            .joined(separator: ", ")
    }

    private mutating func condition(_ table: String) -> String {
        if pick("", "", "", "all") == "all" { return "" }
        let column = random.pick(Self.columns[table] ?? [])
        let sign = pick("=", "=", ">", "<", "IS NOT")
        return " WHERE \(table).\(column) \(sign) \(value(column, of: table))"
    }

    mutating func statement() -> String {
        let table = pick("a", "a", "b", "b", "c", "c", "d", "d", "e", "av")
        let columns = Self.columns[table] ?? []
        let or = pick(
            "", "", " OR REPLACE", " OR REPLACE", " OR IGNORE", " OR FAIL", " OR ABORT",
            " OR ROLLBACK")
        let returning = table == "av" ? "" : pick("", "", "", " RETURNING *")
        switch Int.random(in: 0...9, using: &random) {
        case 0...3:
            let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                "(" + columns.map { value($0, of: table) }.joined(separator: ", ") + ")"
            }.joined(separator: ", ")
            let insertion =
                "INSERT\(or) INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows)"
            guard table != "av", pick("", "", "upsert") == "upsert" else {
                return insertion + returning
            }
            return insertion + " ON CONFLICT DO UPDATE SET \(assignments(table))" + returning
        case 4...6:
            return "UPDATE\(or) \(table) SET \(assignments(table))\(condition(table))\(returning)"
        case 7:
            guard table != "av" else { return "UPDATE av SET n = id" }
            return
                "UPDATE\(or) \(table) SET \(assignments(table)) FROM (SELECT 1 AS one) WHERE one = 1"
        default: return "DELETE FROM \(table)\(condition(table))\(returning)"
        }
    }
}

@Suite struct RandomProgramTests {
    @Test(.proves("SYN-020", "SYN-022", "SYN-026"))
    func `a random program changes nothing that is not noted`() throws {
        var changed = 0
        let count = try Fuzzing().run("capture", inputs: 120) { random in
            changed += try Self.run(RandomProgram(random: random))
            _ = random.next()
        }
        #expect(count > 0 && changed > 300)
    }

    /// - Returns: How many looks found something changed.
    static func run(_ program: RandomProgram) throws -> Int {
        var program = program
        let fixture = try CaptureFixture(RandomProgram.schema, RandomProgram.declarations)
        return try fixture.queue.inDatabase { db throws in
            defer { if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") } }
            try db.execute(sql: "PRAGMA foreign_keys = \(program.pick("ON", "OFF"))")
            let oracle = CaptureOracle(
                tables: try Capture.tables(db, SyncSchema(db, fixture.declarations)))
            var before = try oracle.state(db)
            var history: [String] = []
            var changed = 0
            for _ in 0..<60 {
                let sql = step(&program, db)
                history.append(sql)
                try? db.execute(sql: sql)
                guard Int.random(in: 0...3, using: &program.random) == 0 else { continue }
                let after = try oracle.state(db)
                changed += before == after ? 0 : 1
                let missing = try oracle.missing(
                    db, from: before, to: after,
                    noted: fixture.noted(db, program.pick("merge", "as it is")))
                try Fuzzing.expect(
                    missing.isEmpty, "\(missing) after\n\(history.joined(separator: ";\n"))")
                // Inside of a savepoint, notes that are removed would come back with its end.
                guard !db.isInsideTransaction else { continue }
                try Journal.remove(db, through: try Journal.lastID(db))
                before = after
                history = []
            }
            return changed
        }
    }

    private static func step(_ program: inout RandomProgram, _ db: Database) -> String {
        switch Int.random(in: 0...14, using: &program.random) {
        case 0: program.pick("SAVEPOINT one", "SAVEPOINT two")
        case 1: program.pick("ROLLBACK TO one", "ROLLBACK TO two", "ROLLBACK")
        case 2: program.pick("RELEASE one", "RELEASE two", "COMMIT")
        case 3: "PRAGMA recursive_triggers = \(program.pick("ON", "OFF"))"
        default: program.statement()
        }
    }
}

extension CaptureFixture {
    /// The notes, now and then merged before.
    fileprivate func noted(_ db: Database, _ how: String) throws -> [NotedRow] {
        if how == "merge" { try Journal.mergeNotes(db) }
        return try Journal.rows(db).rows
    }
}
