import StrongroomTestSupport

@testable import StrongroomSync

extension EngineWorld {
    private static let list = SyncedTable(
        "list", merge: ["stars": .counter], onConflictingDelete: .editWins)
    private static let renamedList = SyncedTable(
        "list", merge: ["stars": .counter], onConflictingDelete: .editWins,
        renamedColumns: ["name": "title"])
    private static let lastList = SyncedTable(
        "list", merge: ["stars": .counter, "best": .maximum], onConflictingDelete: .editWins,
        renamedColumns: ["name": "title"])
    private static let thing = SyncedTable("thing", renamedFrom: "item")

    /// An app that is in use in several versions: columns and tables are added and renamed.
    static let upgraded = EngineWorld(
        name: "upgraded",
        sql: """
            CREATE TABLE list (id TEXT PRIMARY KEY NOT NULL, title TEXT UNIQUE, stars INTEGER NOT NULL DEFAULT 0);
            CREATE TABLE item (
                id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL REFERENCES list ON DELETE CASCADE, word TEXT);
            CREATE INDEX item_list ON item (list);
            """,
        tables: [list, SyncedTable("item")],
        contents: [("list", 1, "id, title, stars"), ("item", 1, "*")],
        statement: { upgradedStatement(&$0) },
        upgrades: [
            Upgrade(
                sql: "ALTER TABLE item ADD COLUMN price INTEGER NOT NULL DEFAULT 7",
                tables: [list, SyncedTable("item")],
                contents: [("list", 1, "id, title, stars"), ("item", 1, "*")]),
            Upgrade(
                sql: "ALTER TABLE list RENAME COLUMN title TO name",
                tables: [renamedList, SyncedTable("item")],
                contents: [("list", 1, "id, name, stars"), ("item", 1, "*")]),
            Upgrade(
                sql: """
                    CREATE TABLE tag (
                        id TEXT PRIMARY KEY NOT NULL, item TEXT NOT NULL REFERENCES item ON DELETE CASCADE,
                        word TEXT UNIQUE);
                    CREATE INDEX tag_item ON tag (item);
                    """,
                tables: [renamedList, SyncedTable("item"), SyncedTable("tag")],
                contents: [("list", 1, "id, name, stars"), ("item", 1, "*"), ("tag", 1, "*")]),
            Upgrade(
                sql: "ALTER TABLE item RENAME TO thing",
                tables: [renamedList, thing, SyncedTable("tag")],
                contents: [("list", 1, "id, name, stars"), ("thing", 1, "*"), ("tag", 1, "*")]),
            Upgrade(
                sql: "ALTER TABLE list ADD COLUMN best INTEGER",
                tables: [lastList, thing, SyncedTable("tag")],
                contents: [("list", 1, "id, name, stars"), ("thing", 1, "*"), ("tag", 1, "*")]),
        ])

    /// Statements of all versions: those of others are refused.
    private static func upgradedStatement(_ random: inout SeededGenerator) -> String {
        func pick(_ list: [String]) -> String { random.pick(list) }
        func number(_ range: ClosedRange<Int>) -> String {
            "\(Int.random(in: range, using: &random))"
        }
        func key(_ table: String) -> String { "'\(table)\(number(0...4))'" }
        func word() -> String { pick(["'a'", "'b'", "'c'", "NULL"]) }
        let item = pick(["item", "thing"])
        let title = pick(["title", "name"])
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1:
            return
                "INSERT INTO list (id, \(title), stars) VALUES (\(key("list")), \(word()), \(number(0...5)))"
        case 2: return "UPDATE list SET \(title) = \(word()) WHERE id = \(key("list"))"
        case 3: return "UPDATE list SET stars = stars + \(number(-3...3)) WHERE id = \(key("list"))"
        case 4: return "DELETE FROM list WHERE id = \(key("list"))"
        case 5, 6:
            return
                "INSERT INTO \(item) (id, list, word) VALUES (\(key("item")), \(key("list")), \(word()))"
        case 7: return "UPDATE \(item) SET word = \(word()) WHERE id = \(key("item"))"
        case 8: return "UPDATE \(item) SET price = \(number(1...9)) WHERE id = \(key("item"))"
        case 9: return "UPDATE \(item) SET list = \(key("list")) WHERE id = \(key("item"))"
        case 10: return "DELETE FROM \(item) WHERE id = \(key("item"))"
        case 11:
            return "INSERT OR REPLACE INTO tag VALUES (\(key("tag")), \(key("item")), \(word()))"
        case 12: return "UPDATE tag SET word = \(word()), item = \(key("item"))"
        default: return "UPDATE list SET best = \(number(0...9)), stars = stars + 1"
        }
    }
}
