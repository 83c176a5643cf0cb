/// What SQLite has of a transaction, and what the app was told of it: the rows of a table to which
/// a program of transactions and savepoints adds.
struct TransactionModel {
    enum Ending { case committed, rolledBack }

    /// The rows that are there for good.
    private(set) var committed: [Int]
    /// The rows that the connection sees.
    private(set) var rows: [Int]
    /// The rows of the open transaction whose foreign keys lead nowhere: it can't be committed then.
    private(set) var orphanCount = 0
    /// Whether SQLite has a transaction open.
    private(set) var isOpen = false
    /// How the transaction ended before the closure of its wrapper, if it did: until that ends,
    /// nothing may run.
    private(set) var loss: Ending?
    private var wrappers: [(rows: [Int], orphanCount: Int, isTransaction: Bool)] = []

    init(rows: [Int]) {
        committed = rows
        self.rows = rows
    }

    var isInWrapper: Bool { !wrappers.isEmpty }

    /// Whether the wrapper that ends next ends the transaction.
    var isInOutermostWrapper: Bool { wrappers.last?.isTransaction == true }

    mutating func insert(_ row: Int) {
        rows.append(row)
        if !isOpen { committed = rows }
    }

    mutating func addOrphan() { orphanCount += 1 }

    mutating func removeOrphans() { orphanCount = 0 }

    mutating func begin() { isOpen = true }

    mutating func end(_ ending: Ending) {
        if ending == .committed { committed = rows } else { rows = committed }
        isOpen = false
        orphanCount = 0
        if isInWrapper { loss = ending }
    }

    mutating func beginWrapper() {
        wrappers.append((rows, orphanCount, isTransaction: !isOpen))
        isOpen = true
    }

    /// - Parameter ending: nil when the closure, or the wrapper, has thrown.
    mutating func endWrapper(_ ending: Ending?) {
        guard let wrapper = wrappers.popLast() else { return }
        if loss == nil, ending != .committed {
            (rows, orphanCount) = (wrapper.rows, wrapper.orphanCount)
        }
        if loss == nil, wrapper.isTransaction { end(ending ?? .rolledBack) }
        if wrappers.isEmpty { loss = nil }
    }
}
