import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Two devices whose clocks a test holds, and which agree on each millisecond.
final class PeerDevices {
    let a: EngineFixture
    let b: EngineFixture
    private var first: SyncEngine
    private var second: SyncEngine
    private let time: Locked<Int64>
    private let hub: MemoryHub
    private let options: SyncOptions
    private let reopens: Bool

    /// - Parameter reopens: Whether engines are opened anew before each exchange, as in another process.
    init(_ rows: String = "", reopens: Bool = false) async throws {
        let time = Locked<Int64>(1_790_000_000_000)
        let hub = MemoryHub(time: { time.withLock { $0 } }, sleep: { _ in })
        var options = SyncOptions()
        options.time = { time.withLock { $0 } }
        self.time = time
        self.hub = hub
        self.options = options
        self.reopens = reopens
        a = try EngineFixture()
        b = try EngineFixture()
        for fixture in [a, b] {
            try await fixture.queue.write { db in
                db.add(
                    function: DatabaseFunction("julianday", argumentCount: 0) { _ in
                        NoteTime.julianDay(milliseconds: time.withLock { $0 })
                    })
            }
        }
        if !rows.isEmpty { try a.write(rows) }
        first = try await a.creating(hub, options)
        second = try await b.joining(try await first.inviteDevice().ticket, hub, options)
        try await exchange()
    }

    /// Writes a second later than what was written before.
    func write(_ sql: String, on fixture: EngineFixture) throws {
        time.withLock { $0 += 1000 }
        try fixture.write(sql)
    }

    /// Exchanges until both have everything.
    func exchange(isSecondFirst: Bool = false) async throws {
        for _ in 0..<2 {
            if isSecondFirst { try await exchangeSecond() }
            try await exchangeFirst()
            if !isSecondFirst { try await exchangeSecond() }
        }
        try await exchangeFirst()
        try await exchangeSecond()
    }

    func exchangeFirst() async throws {
        if reopens { first = try await SyncEngine.reopened(first, a.queue, hub, options) }
        try await first.synchronize()
    }

    func exchangeSecond() async throws {
        if reopens { second = try await SyncEngine.reopened(second, b.queue, hub, options) }
        try await second.synchronize()
    }

    /// The rows that both devices show, or where they differ.
    func shown() throws -> String {
        try a.check()
        try b.check()
        let rows = [try Self.rows(a), try Self.rows(b)]
        return rows[0] == rows[1] ? rows[0] : "\(rows[0]) / \(rows[1])"
    }

    private static func rows(_ fixture: EngineFixture) throws -> String {
        try fixture.values(
            """
            SELECT id || ':' || ifnull(title, '-') || ':' || stars FROM list UNION ALL
            SELECT id || '@' || list || ':' || ifnull(title, '-') || ':' || ifnull(price, '-') FROM item
            UNION ALL SELECT id || ':' || title || '@' || ifnull(item, '-') FROM tag ORDER BY 1
            """
        ).joined(separator: ", ")
    }
}

/// What a device does with an item that the other one also writes to.
enum PeerEdit: CaseIterable, Sendable {
    case title, price, move, delete, rename

    func sql(_ device: String) -> String {
        switch self {
        case .title: "UPDATE item SET title = '\(device)' WHERE id = 'i1'"
        case .price: "UPDATE item SET price = \(device == "a" ? 2 : 3) WHERE id = 'i1'"
        case .move: "UPDATE item SET list = '\(device == "a" ? "l2" : "l3")' WHERE id = 'i1'"
        case .delete: "DELETE FROM item WHERE id = 'i1'"
        case .rename: "UPDATE item SET id = 'r\(device)' WHERE id = 'i1'"
        }
    }

    var endsRow: Bool { self == .delete || self == .rename }

    /// The items in the end: of two edits of one column the second holds, and who ends the row ends it for both.
    static func result(_ one: PeerEdit, _ other: PeerEdit) -> String {
        var rows: [String] = []
        if !one.endsRow, !other.endsRow {
            var (list, title, price) = ("l1", "Milk", "1.0")
            for (edit, device) in [(one, "a"), (other, "b")] {
                switch edit {
                case .title: title = device
                case .price: price = device == "a" ? "2.0" : "3.0"
                case .move: list = device == "a" ? "l2" : "l3"
                default: break
                }
            }
            rows.append("i1@\(list):\(title):\(price)")
        }
        if one == .rename { rows.append("ra@l1:Milk:1.0") }
        if other == .rename { rows.append("rb@l1:Milk:1.0") }
        let lists = ["l1:Food:0", "l2:Tools:0", "l3:Books:0"]
        return (rows + lists).sorted().joined(separator: ", ")
    }
}

@Suite("Two edits of one item", .tags(.slow))
struct PeerPairTests {
    @Test(
        "end as the rules say, in both orders of exchange",
        .proves("SYN-257", "SYN-045", "SYN-046"),
        arguments: PeerEdit.allCases, PeerEdit.allCases)
    func pair(one: PeerEdit, other: PeerEdit) async throws {
        for isSecondFirst in [false, true] {
            let devices = try await PeerDevices(
                """
                INSERT INTO list VALUES ('l1', 'Food', 0), ('l2', 'Tools', 0), ('l3', 'Books', 0);
                INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL);
                """)
            try devices.write(one.sql("a"), on: devices.a)
            try devices.write(other.sql("b"), on: devices.b)
            try await devices.exchange(isSecondFirst: isSecondFirst)
            #expect(
                try devices.shown() == PeerEdit.result(one, other),
                "\(isSecondFirst ? "the second" : "the first") exchanges first")
        }
    }
}
