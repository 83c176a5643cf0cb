import StrongroomTestSupport

@testable import StrongroomSync

/// The tables of a simulation, and what apps write to them.
struct EngineWorld: Sendable {
    let name: String
    let sql: String
    let tables: [SyncedTable]
    /// Tables with the numbers of their keys' columns, and the columns that nothing changes but edits.
    let contents: [(table: String, keyCount: Int, columns: String)]
    let statement: @Sendable (inout SeededGenerator) -> String
    /// What each later version of the app changes.
    var upgrades: [Upgrade] = []

    struct Upgrade: Sendable {
        let sql: String
        let tables: [SyncedTable]
        let contents: [(table: String, keyCount: Int, columns: String)]
    }

    func tables(in version: Int) -> [SyncedTable] {
        version == 0 ? tables : upgrades[version - 1].tables
    }

    func contents(in version: Int) -> [(table: String, keyCount: Int, columns: String)] {
        version == 0 ? contents : upgrades[version - 1].contents
    }

    /// Constraints of every kind.
    static let plain = EngineWorld(
        name: "plain", sql: EngineSimulation.sql, tables: EngineSimulation.tables,
        contents: [
            ("list", 1, "id, title, stars"), ("item", 1, "id, list, low, high, data"),
            ("tag", 1, "*"), ("note", 1, "*"), ("mark", 2, "*"), ("tally", 1, "id"),
            ("payment", 1, "*"),
        ], statement: { EngineSimulation.statement(&$0) })

    /// Keys that are equal with other bytes, columns that SQLite computes or converts, and triggers of the app.
    static let odd = EngineWorld(
        name: "odd",
        sql: """
            CREATE TABLE place (name TEXT PRIMARY KEY COLLATE NOCASE NOT NULL, n INTEGER) WITHOUT ROWID;
            CREATE TABLE visit (
                id INTEGER PRIMARY KEY,
                place TEXT COLLATE NOCASE REFERENCES place ON DELETE SET NULL ON UPDATE CASCADE,
                cost REAL, twice AS (cost * 2) STORED, label TEXT, touched INTEGER NOT NULL DEFAULT 0);
            CREATE INDEX visit_place ON visit (place);
            CREATE UNIQUE INDEX visit_label ON visit (label COLLATE NOCASE) WHERE label <> '';
            CREATE TABLE pair (a NOT NULL, b NUMERIC NOT NULL, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE total (
                place TEXT PRIMARY KEY COLLATE NOCASE NOT NULL
                    REFERENCES place ON DELETE CASCADE ON UPDATE CASCADE,
                visits INTEGER NOT NULL DEFAULT 0, best REAL) STRICT;
            CREATE TABLE log (id TEXT PRIMARY KEY NOT NULL, visit INTEGER);
            CREATE TABLE seen (visit);
            CREATE TRIGGER visit_added AFTER INSERT ON visit BEGIN
                INSERT OR IGNORE INTO total (place) SELECT name FROM place WHERE name = new.place;
                UPDATE total SET visits = visits + 1 WHERE place = new.place;
                INSERT INTO seen VALUES (new.id); END;
            CREATE TRIGGER visit_removed AFTER DELETE ON visit BEGIN
                UPDATE total SET visits = visits - 1 WHERE place = old.place;
                INSERT OR REPLACE INTO log VALUES ('gone-' || old.id, old.touched);
                DELETE FROM seen WHERE visit = old.id; END;
            CREATE TRIGGER visit_touched AFTER UPDATE OF cost, label ON visit BEGIN
                UPDATE visit SET touched = touched + 1 WHERE id = new.id; END;
            CREATE TRIGGER visit_checked BEFORE INSERT ON visit WHEN new.cost > 90 BEGIN
                SELECT RAISE(ABORT, 'too much'); END;
            CREATE TRIGGER pair_kept BEFORE DELETE ON pair WHEN old.v = 'kept' BEGIN
                SELECT RAISE(IGNORE); END;
            """,
        tables: [
            SyncedTable("place", onConflictingDelete: .editWins),
            SyncedTable("visit", keys: .application),
            SyncedTable("pair", row: .whole),
            SyncedTable("total", merge: ["visits": .counter, "best": .maximum]),
            SyncedTable("log"),
        ],
        contents: [
            ("place", 1, "*"), ("visit", 1, "id, cost, label, touched"), ("pair", 2, "*"),
            ("total", 1, "place, visits"), ("log", 1, "*"),
        ], statement: { oddStatement(&$0) })
}

extension EngineWorld {
    private static func oddStatement(_ random: inout SeededGenerator) -> String {
        func pick(_ list: [String]) -> String { random.pick(list) }
        func number(_ range: ClosedRange<Int>) -> String {
            "\(Int.random(in: range, using: &random))"
        }
        func place() -> String { pick(["'rome'", "'Rome'", "'ROME'", "'oslo'", "'Oslo'", "'x'"]) }
        func label() -> String { pick(["NULL", "''", "'a'", "'A'", "'b'", "'B'", "'ä'", "'Ä'"]) }
        func key() -> String { pick(["1", "'1'", "x'31'", "1.5", "'a'", "'A'", "2.0", "'2'"]) }
        func cost() -> String { pick(["NULL", "1", "2.5", "'3'", "-0.0", "1e300", "95"]) }
        let or = pick(["", "", "", " OR REPLACE", " OR IGNORE"])
        switch Int.random(in: 0..<17, using: &random) {
        case 0, 1: return "INSERT\(or) INTO place VALUES (\(place()), \(number(0...3)))"
        case 2:
            return "UPDATE\(or) place SET name = \(place()) WHERE name = \(place())"
        case 3: return "UPDATE place SET n = \(number(0...9)) WHERE name = \(place())"
        case 4: return "DELETE FROM place WHERE name = \(place())"
        case 5, 6, 7:
            return """
                INSERT\(or) INTO visit (id, place, cost, label)
                VALUES (\(number(1...5)), \(place()), \(cost()), \(label()))
                """
        case 8:
            return
                "UPDATE\(or) visit SET label = \(label()), place = \(place()) WHERE id = \(number(1...5))"
        case 9: return "UPDATE visit SET cost = \(cost()) WHERE id >= \(number(1...5))"
        case 10: return "DELETE FROM visit WHERE id = \(number(1...5))"
        case 11: return "UPDATE\(or) visit SET id = \(number(1...5)) WHERE id = \(number(1...5))"
        case 12, 13:
            return
                "INSERT\(or) INTO pair VALUES (\(key()), \(key()), \(pick(["NULL", "'kept'", "1"])))"
        case 14:
            return pick([
                "DELETE FROM pair WHERE a = \(key())",
                "UPDATE\(or) pair SET b = \(key()) WHERE a = \(key())",
                "UPDATE pair SET v = \(key())",
            ])
        case 15:
            return pick([
                "UPDATE total SET best = \(number(0...9)), visits = visits + 1 WHERE place = \(place())",
                "DELETE FROM total", "DELETE FROM log WHERE visit < \(number(0...3))",
            ])
        default:
            return """
                DELETE FROM visit WHERE id = 1; DELETE FROM place WHERE name = \(place());
                INSERT INTO visit (id, place, label) VALUES (1, NULL, \(label()))
                """
        }
    }
}
