/// An error of SQLite, SQLCipher or this library.
///
/// `description`, `message` and `sql` contain no key and, unless
/// `Configuration.publicStatementArguments` is set, no bound value.
///
/// Match on codes, not on messages:
///
///     do {
///         try player.delete(db)
///     } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
///         // Another row refers to this one.
///     } catch let error as DatabaseError {
///         print(error.extendedResultCode)
///     }
public struct DatabaseError: Error, Sendable, SQLiteResultCodes {
    /// The extended code. <https://www.sqlite.org/rescode.html#extrc>
    public let extendedResultCode: ResultCode

    /// The reason, in SQLite's words, or in ours if those are misleading.
    public let message: String?

    /// The statement that failed.
    public let sql: String?

    /// The byte of `sql` at which SQLite found the error, if known.
    public let sqlOffset: Int?

    /// The values bound to the statement that failed, whether or not they may be shown.
    package let boundArguments: (any BoundArguments)?

    /// Whether `description` shows the bound values.
    package let showsArguments: Bool

    package init(
        code: ResultCode,
        message: String? = nil,
        sql: String? = nil,
        sqlOffset: Int? = nil,
        boundArguments: (any BoundArguments)? = nil,
        showsArguments: Bool = false
    ) {
        self.extendedResultCode = code
        self.sql = sql?.redactingKeys()
        // SQLite quotes the token at fault: where the statement carries a key, that may be the key.
        let reason = (message ?? code.text).redactingKeysInMessage()
        self.message = self.sql == sql ? reason : reason.redactingQuotedText()
        self.sqlOffset = sqlOffset
        self.boundArguments = boundArguments
        self.showsArguments = showsArguments
    }

    /// The primary code: the kind of failure.
    public var resultCode: ResultCode {
        extendedResultCode.primaryResultCode
    }

    /// Whether the cause is an interruption or an aborted transaction, not the statement.
    public var isInterruptionError: Bool {
        resultCode == .SQLITE_ABORT || resultCode == .SQLITE_INTERRUPT
    }

    /// The same failure, told with the statement that was being executed.
    package func executing(
        _ sql: String, arguments: (any BoundArguments)?, showsArguments: Bool
    ) -> DatabaseError {
        DatabaseError(
            code: extendedResultCode, message: message, sql: self.sql ?? sql, sqlOffset: sqlOffset,
            boundArguments: boundArguments ?? arguments, showsArguments: showsArguments)
    }
}

/// The values of a statement as an error keeps them: opaque below the layer of values.
package protocol BoundArguments: Sendable, CustomStringConvertible {
    var isEmpty: Bool { get }
}

extension DatabaseError: CustomStringConvertible {
    /// `SQLite error 19: … - while executing `…``, with values only where they are public.
    public var description: String {
        text(withArguments: showsArguments)
    }

    /// The description with the values bound to the statement: not for logs.
    public var expandedDescription: String {
        text(withArguments: true)
    }

    private func text(withArguments: Bool) -> String {
        var text = "SQLite error \(resultCode.rawValue)"
        if let message { text += ": \(message)" }
        if let sql { text += " - while executing `\(sql)`" }
        if withArguments, let boundArguments, !boundArguments.isEmpty {
            text += " with arguments \(boundArguments)"
        }
        return text
    }
}
