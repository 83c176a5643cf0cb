/// The merged state of a row, or a part of it that travels as a change: both merge by the same rule.
///
/// 1. Lists are in ascending order of what their entries are about, each once.
/// 2. A row that is dead (its life is even) has a tombstone and nothing else; one that is alive has none.
package struct RowState: Sendable, Hashable {
    /// How often the row began and ended: odd alive, even dead.
    package var life: UInt64
    /// The oldest insertion of this life; nil while only edits of it are known.
    package var birth: Author?
    package var cells: [Cell] = []
    package var counters: [CounterEntry] = []
    package var extremes: [Extreme] = []
    package var tombstone = Tombstone()

    package init(life: UInt64, birth: Author? = nil) {
        self.life = life
        self.birth = birth
    }

    package var isAlive: Bool { life & 1 == 1 }

    /// The life in which a dead row is brought back: 3, 7, 11 and so on.
    package static func revival(after life: UInt64) -> UInt64 {
        (life / 4) * 4 + (life % 4 < 3 ? 3 : 7)
    }

    /// The life that an insertion begins: 1, 5, 9 and so on, above the one in which another device may bring the row
    /// back at the same time. So an insertion never mixes with what was there before.
    package static func insertion(after life: UInt64) -> UInt64 {
        guard life > 0 else { return 1 }
        return revival(after: life & 1 == 1 ? life + 1 : life) + 2
    }

    /// The greatest life that a change may have.
    package static let lifeLimit: UInt64 = 1 << 40
}

/// The latest edit of a field.
package struct Cell: Sendable, Hashable {
    package var field: Int
    package var author: Author
    package var content: CellContent

    package init(_ field: Int, _ author: Author, _ content: CellContent) {
        self.field = field
        self.author = author
        self.content = content
    }
}

/// What one run has added to a counter.
package struct CounterEntry: Sendable, Hashable {
    package var field: Int
    package var run: Run
    /// Grows with each change of the entry.
    package var count: UInt64
    package var sum: Int128

    package init(_ field: Int, _ run: Run, count: UInt64, sum: Int128) {
        self.field = field
        self.run = run
        self.count = count
        self.sum = sum
    }
}

/// The greatest value that a field was given, or the least.
package struct Extreme: Sendable, Hashable {
    package var field: Int
    package var isMaximum: Bool
    package var value: CellValue

    package init(_ field: Int, isMaximum: Bool, _ value: CellValue) {
        self.field = field
        self.isMaximum = isMaximum
        self.value = value
    }
}

/// What is kept of a dead row besides its life.
///
/// Its lists are behind one reference, and none while they are empty: a row that is alive is copied more often.
package struct Tombstone: Sendable, Hashable {
    private var lists: Lists?

    /// The batches that ended the life, the last one of each run. Below the floor they are dropped; the row goes
    /// with the last of them.
    package var batches: [Position] {
        get { lists?.content.batches ?? [] }
        set { change { $0.batches = newValue } }
    }
    /// In tables where an edit wins: what those who deleted had seen of the fields …
    package var seen: [Seen] {
        get { lists?.content.seen ?? [] }
        set { change { $0.seen = newValue } }
    }
    /// … and of the counters.
    package var seenCounts: [SeenCount] {
        get { lists?.content.seenCounts ?? [] }
        set { change { $0.seenCounts = newValue } }
    }

    package init() {}

    private mutating func change(_ body: (inout Content) -> Void) {
        var content = lists?.content ?? Content()
        body(&content)
        lists = content == Content() ? nil : Lists(content)
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.lists === rhs.lists || lhs.lists?.content == rhs.lists?.content
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(lists?.content) }

    private struct Content: Sendable, Hashable {
        var batches: [Position] = []
        var seen: [Seen] = []
        var seenCounts: [SeenCount] = []
    }

    private final class Lists: Sendable {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    /// A batch of a run.
    package struct Position: Sendable, Hashable {
        package var run: Run
        package var number: UInt64

        package init(_ run: Run, _ number: UInt64) {
            self.run = run
            self.number = number
        }
    }

    package struct Seen: Sendable, Hashable {
        package var field: Int
        package var author: Author

        package init(_ field: Int, _ author: Author) {
            self.field = field
            self.author = author
        }
    }

    package struct SeenCount: Sendable, Hashable {
        package var field: Int
        package var run: Run
        package var count: UInt64

        package init(_ field: Int, _ run: Run, _ count: UInt64) {
            self.field = field
            self.run = run
            self.count = count
        }
    }
}

/// The primary key of a row as bytes (see `KeyBytes`).
package struct RowKey: Sendable, Hashable, Comparable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package func hash(into hasher: inout Hasher) {
        // All bytes at once: an array hashes them one by one.
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    package static func < (lhs: RowKey, rhs: RowKey) -> Bool {
        lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
    }
}

/// A row of a table, by the number of the table in a ``MergeSchema``.
package struct RowID: Sendable, Hashable {
    package var table: Int
    package var key: RowKey

    package init(_ table: Int, _ key: RowKey) {
        self.table = table
        self.key = key
    }
}

/// What a batch or a snapshot has of one row.
package struct RowChange: Sendable, Hashable {
    package var row: RowID
    package var state: RowState

    package init(_ row: RowID, _ state: RowState) {
        self.row = row
        self.state = state
    }
}
