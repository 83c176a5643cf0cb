internal import CSQLCipher

/// Asks, now and then while statements run on a connection, whether to go on.
/// <https://www.sqlite.org/c3ref/progress_handler.html>
// Safety: the question lives until SQLite has forgotten it.
package enum ProgressCallback {
    /// Runs `body`; a statement during which `shouldStop` answers true ends with
    /// `SQLITE_INTERRUPT`.
    ///
    /// - Parameter interval: Instructions of SQLite's virtual machine between two questions.
    package static func watching<T>(
        _ connection: BorrowedConnection,
        every interval: CInt,
        shouldStop: () -> Bool,
        _ body: () throws -> T
    ) rethrows -> T {
        try withoutActuallyEscaping(shouldStop) { shouldStop in
            let question = Question(shouldStop)
            unsafe sqlite3_progress_handler(
                connection.pointer, interval,
                { context in
                    guard let context = unsafe context else { return 0 }
                    let question = unsafe Unmanaged<Question>.fromOpaque(context)
                        .takeUnretainedValue()
                    return question.shouldStop() ? 1 : 0
                }, unsafe Unmanaged.passUnretained(question).toOpaque())
            defer {
                // SQLite must forget the question before it goes.
                unsafe sqlite3_progress_handler(connection.pointer, 0, nil, nil)
                withExtendedLifetime(question) {}
            }
            return try body()
        }
    }

    private final class Question {
        let shouldStop: () -> Bool

        init(_ shouldStop: @escaping () -> Bool) {
            self.shouldStop = shouldStop
        }
    }
}
