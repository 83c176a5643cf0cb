/// The statements of a connection that have made a step, and not their last: those of cursors, as a
/// rule, which stand on a row.
///
/// They hold each other in a chain, because each execution of each statement goes in and out: an
/// array made the smallest read a quarter slower.
struct RunningStatements {
    // Unretained: a statement takes itself out before it goes.
    private var first: Unmanaged<Statement>?

    /// A statement's neighbours.
    struct Links {
        fileprivate var previous: Unmanaged<Statement>?
        fileprivate var next: Unmanaged<Statement>?
        fileprivate var isInChain = false
    }

    var isEmpty: Bool { first == nil }

    mutating func add(_ statement: Statement) {
        let added = Unmanaged.passUnretained(statement)
        statement.runningLinks = Links(previous: nil, next: first, isInChain: true)
        first?._withUnsafeGuaranteedRef { $0.runningLinks.previous = added }
        first = added
    }

    /// Those that are executed in one go are in no chain.
    mutating func remove(_ statement: Statement) {
        let links = statement.runningLinks
        guard links.isInChain else { return }
        if let previous = links.previous {
            previous._withUnsafeGuaranteedRef { $0.runningLinks.next = links.next }
        } else {
            first = links.next
        }
        links.next?._withUnsafeGuaranteedRef { $0.runningLinks.previous = links.previous }
        statement.runningLinks = Links()
    }

    private var all: [Statement] {
        var statements: [Statement] = []
        var next = first
        while let statement = next?.takeUnretainedValue() {
            statements.append(statement)
            next = statement.runningLinks.next
        }
        return statements
    }

    /// Ends those that stand on a row; their next steps throw `SQLITE_INTERRUPT`.
    func endInterrupted() {
        for statement in all { statement.end(.SQLITE_INTERRUPT, "interrupted") }
    }

    /// Ends those that stand on a row and have written what is rolled back now; their next steps
    /// throw, as SQLite has it. Only that they would take back with them what was written since.
    func endRolledBack() {
        for statement in all where !statement.isReadonly {
            statement.end(.SQLITE_ABORT_ROLLBACK, "abort due to ROLLBACK")
        }
    }
}
