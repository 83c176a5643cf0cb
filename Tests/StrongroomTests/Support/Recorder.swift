import Strongroom

/// Writes down what it is told.
final class Recorder: TransactionObserver {
    struct Refusal: Error {}

    var lines: [String] = []
    var observed: (DatabaseEventKind) -> Bool = { _ in true }
    var onChange: (Recorder) -> Void = { _ in }
    var onCommit: (Recorder, Database) -> Void = { _, _ in }
    var refusesCommit = false

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { observed(eventKind) }

    func databaseDidChange() {
        lines.append("change")
        onChange(self)
    }

    func databaseDidChange(with event: DatabaseEvent) {
        lines.append("\(event.kind) \(event.databaseName).\(event.tableName) \(event.rowID)")
        onChange(self)
    }

    func databaseWillCommit() throws {
        lines.append("will commit")
        if refusesCommit { throw Refusal() }
    }

    func databaseDidCommit(_ db: Database) {
        lines.append("commit")
        onCommit(self, db)
    }

    func databaseDidRollback(_ db: Database) { lines.append("rollback") }

    /// What it was told since the last time.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}
