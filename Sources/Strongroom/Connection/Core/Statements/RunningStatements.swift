/// The statements of a connection that have made a step, and not their last: those of cursors, as a
/// rule, which stand on a row.
struct RunningStatements {
    // Unretained: a statement takes itself out before it goes.
    private var statements: [Unmanaged<Statement>] = []

    var isEmpty: Bool { statements.isEmpty }

    mutating func append(_ statement: Unmanaged<Statement>) {
        statements.append(statement)
    }

    mutating func remove(_ statement: Statement) {
        let statement = Unmanaged.passUnretained(statement).toOpaque()
        // As a rule, it is the last one that ends first.
        guard let index = statements.lastIndex(where: { $0.toOpaque() == statement }) else {
            return
        }
        statements.remove(at: index)
    }

    /// Ends those that stand on a row; their next steps throw `SQLITE_INTERRUPT`.
    func endInterrupted() {
        for statement in statements {
            statement.takeUnretainedValue().end(.SQLITE_INTERRUPT, "interrupted")
        }
    }

    /// Ends those that stand on a row and have written what is rolled back now; their next steps
    /// throw, as SQLite has it. Only that they would take back with them what was written since.
    func endRolledBack() {
        for statement in statements.map({ $0.takeUnretainedValue() }) where !statement.isReadonly {
            statement.end(.SQLITE_ABORT_ROLLBACK, "abort due to ROLLBACK")
        }
    }
}
