extension Database {
    /// How many rows the latest successful INSERT, UPDATE or DELETE changed.
    public var changesCount: Int { openConnection?.changes ?? 0 }

    /// How many rows were changed since the connection was opened.
    public var totalChangesCount: Int { openConnection?.totalChanges ?? 0 }

    /// The rowid of the latest insert, 0 before the first.
    public var lastInsertedRowID: Int64 {
        openConnection?.lastInsertedRowID ?? 0
    }

    /// The extended code of the latest call that failed.
    public var lastErrorCode: ResultCode {
        openConnection?.lastErrorCode ?? .SQLITE_MISUSE
    }

    /// The text of the latest call that failed.
    public var lastErrorMessage: String? {
        openConnection.map { $0.lastErrorMessage.redactingKeysInMessage() }
    }

    /// How many arguments a statement can have.
    public var maximumStatementArgumentCount: Int {
        openConnection?.variableLimit ?? 0
    }

    /// The version of the SQLite inside SQLCipher, 3046001 for 3.46.1.
    public static var sqliteLibVersionNumber: CInt { SQLCipherLibrary.sqliteVersionNumber }

    /// SQLCipher's version, such as `4.6.1 community`; nil if the process runs plain SQLite.
    public static var sqlCipherVersion: String? { SQLCipherLibrary.version }

    /// The function that receives SQLite's error log, which the whole process shares.
    ///
    /// Keys are removed from the messages. <https://www.sqlite.org/errlog.html>
    public static var logError: LogErrorFunction? {
        get { ErrorLog.function }
        set { ErrorLog.function = newValue }
    }

    /// A function that receives a result code and a message.
    public typealias LogErrorFunction = @Sendable (ResultCode, String) -> Void

    /// Frees memory that SQLite does not need, and the cached statements.
    public func releaseMemory() {
        forgetStatements()
        openConnection?.releaseMemory()
    }
}
