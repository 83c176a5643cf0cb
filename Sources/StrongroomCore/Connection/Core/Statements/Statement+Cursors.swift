// Steps of cursors that other modules define: they hold the statement, and nothing else of ours.

extension Statement {
    /// What ended a cursor, whose later steps throw it again.
    final class CursorFailure {
        private weak var cursor: AnyObject?
        private let error: any Error

        init(_ error: any Error, of cursor: AnyObject) {
            self.error = error
            self.cursor = cursor
        }

        func rethrow(to cursor: AnyObject) throws {
            if self.cursor === cursor { throw error }
        }
    }

    /// Moves to the next row for a cursor.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: `DatabaseError`; `CancellationError` when the access's task is cancelled.
    @usableFromInline
    func step(of cursor: AnyObject) throws -> Bool {
        try cursorFailure?.rethrow(to: cursor)
        guard accessNumber == database.access.number else {
            fatalError("A cursor was used after the database access that made it.")
        }
        endIfReset()
        do {
            return try step()
        } catch {
            cursorFailure = CursorFailure(error, of: cursor)
            throw error
        }
    }

    /// Notes that a statement which was running was reset by the C function, as cursors do when they go.
    func endIfReset() {
        guard isInProgress, !handle.isBusy else { return }
        noteReset()
        // If it was all of a transaction, its end was the commit.
        guard !isReadonly, database.openConnection != nil, !database.isInsideTransaction,
            !database.changes.isObserved || database.changes.hasUntoldChanges
        else { return }
        database.didEndEarly(self)
    }
}
