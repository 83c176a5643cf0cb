import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomSync

/// A device with rows of its own, whose app writes between the slices of its first scan.
final class FirstStart: Sendable {
    /// Each list has a parent, most of them behind it in the order of keys.
    static let sql = """
        CREATE TABLE list (
            id TEXT PRIMARY KEY NOT NULL, parent TEXT REFERENCES list ON DELETE SET NULL, title TEXT,
            stars INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX list_parent ON list (parent);
        CREATE TABLE item (
            list TEXT NOT NULL REFERENCES list ON DELETE CASCADE, number INTEGER NOT NULL, title TEXT,
            PRIMARY KEY (list, number)) WITHOUT ROWID;
        CREATE TABLE tag (
            id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL COLLATE NOCASE UNIQUE,
            list TEXT REFERENCES list ON DELETE SET NULL);
        CREATE INDEX tag_list ON tag (list);
        CREATE TABLE tally (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL DEFAULT 0);
        """
    /// Children come first.
    static let tables = [
        SyncedTable("tag"), SyncedTable("item"), SyncedTable("list", merge: ["stars": .counter]),
        SyncedTable("tally", merge: ["n": .counter]),
    ]
    struct Crash: Error {}

    private struct State {
        var random: SeededGenerator
        /// What the app's tables had when it last wrote.
        var rows: [String] = []
        var steps: [String] = []
        /// Before which step of a scan the engine is killed.
        var killedBefore: Int?
        /// After how many steps the task is cancelled, again and again.
        var cancelledEvery: Int?
        var added: Int64 = 0
    }

    let fixture: EngineFixture
    private let name: String
    private let state: Mutex<State>
    /// What goes wrong, in words.
    let problems = Mutex<[String]>([])

    init(seed: UInt64, _ name: String) throws {
        fixture = try EngineFixture(Self.sql, Self.tables)
        self.name = name
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        var rows = "PRAGMA defer_foreign_keys = ON;"
        for number in 0..<12 {
            let parent = number % 4 == 3 ? "NULL" : "'l\(10 + (number * 5 + 7) % 12)'"
            rows += """
                INSERT INTO list VALUES ('l\(10 + number)', \(parent), '\(name)', \(number));
                INSERT INTO tag VALUES ('\(name)\(number)', '\(name) \(number)', 'l\(10 + number)');
                INSERT INTO item VALUES ('l\(10 + number)', \(number), '\(name)'),
                    ('l\(10 + number)', -1, '\(name)');
                INSERT INTO tally VALUES ('t\(number)', \(number));
                """
        }
        try fixture.write(rows)
        state.withLock { $0.added = 66 }
        try note()
    }

    /// The sum of what this app has added to tallies.
    var added: Int64 { state.withLock { $0.added } }
    var steps: [String] { state.withLock { $0.steps } }

    func options(isKilledBefore step: Int? = nil, cancelledEvery count: Int? = nil) -> SyncOptions {
        var options = SyncOptions()
        options.holdCount = 4
        options.atomicLimit = 30
        state.withLock { state in
            state.killedBefore = step
            state.cancelledEvery = count
            state.steps = []
        }
        options.step = { [self] in try pass($0) }
        return options
    }

    private func note() throws {
        let rows = try fixture.rows()
        state.withLock { $0.rows = rows }
    }

    private func pass(_ step: String) throws {
        guard ["scan", "compare", "show"].contains(step) else { return }
        let now = try fixture.rows()
        let (rows, count, isKilled, isCancelled) = state.withLock { state in
            state.steps.append(step)
            let count = state.steps.count
            return (
                state.rows, count, state.killedBefore == count,
                state.cancelledEvery.map { count % $0 == 0 } ?? false
            )
        }
        if now != rows {
            let (old, new) = (Set(rows), Set(now))
            problems.withLock {
                $0.append("\(old.subtracting(new)) became \(new.subtracting(old))")
            }
        }
        let statements = state.withLock { state in
            (0...Int.random(in: 0...2, using: &state.random)).map { _ in statement(&state, count) }
        }
        for statement in statements { try? fixture.write(statement) }
        try note()
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        if isKilled { throw Crash() }
    }

    private func statement(_ state: inout State, _ count: Int) -> String {
        func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &state.random) }
        let (list, other) = ("'l\(10 + random(0..<14))'", "'l\(10 + random(0..<14))'")
        let tag = "'\(name)\(random(0..<14))'"
        switch random(0..<13) {
        case 0, 1, 2:
            state.added += 3
            return "UPDATE tally SET n = n + 3 WHERE id = 't\(random(0..<12))'"
        case 3: return "UPDATE list SET parent = \(other), stars = stars + 1 WHERE id = \(list)"
        case 4: return "DELETE FROM list WHERE id = \(list)"
        case 5: return "INSERT OR REPLACE INTO list VALUES (\(list), \(other), 'again', 7)"
        case 6: return "INSERT INTO item VALUES (\(list), \(random(0..<20)), '\(name) late')"
        case 7: return "DELETE FROM item WHERE list = \(list)"
        case 8:
            return """
                UPDATE tag SET title = 'swap' WHERE id = \(tag);
                UPDATE tag SET title = '\(name) \(random(0..<12))' WHERE id = '\(name)3';
                """
        case 12: return "UPDATE item SET title = title || 'x'; UPDATE tag SET title = title || 'x'"
        case 9: return "DELETE FROM tag WHERE id = \(tag)"
        case 10:
            let title = "'\(name) \(random(0..<14))'"
            return "INSERT OR REPLACE INTO tag VALUES (\(tag), \(title), \(list))"
        default:
            return """
                DELETE FROM list WHERE id = \(list);
                INSERT INTO list VALUES (\(list), NULL, 'reborn', 1);
                INSERT INTO item VALUES (\(list), 5, 'reborn');
                """
        }
    }
}
