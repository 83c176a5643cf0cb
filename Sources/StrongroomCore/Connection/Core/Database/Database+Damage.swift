extension Database {
    /// What to throw for an error: the first one, if this is a consequence of a page that was not what
    /// was written.
    ///
    /// From version 4.7 on, SQLCipher reads nothing more on a connection that has met such a page, and
    /// answers everything with another error in each version, "out of memory" among them.
    /// (`Documentation/SQLCipher.md`, "Failure and tamper")
    func firstError(insteadOf error: DatabaseError) -> DatabaseError {
        let code = error.resultCode
        if let damage = standing.damage {
            let isConsequence =
                switch code {
                case .SQLITE_NOMEM, .SQLITE_NOTADB: true
                case .SQLITE_ERROR: error.message == "SQL logic error"
                default: false
                }
            return isConsequence ? damage : error
        }
        // Before a connection is set up, this is about its key.
        guard
            error.extendedResultCode == .SQLITE_CORRUPT
                || (code == .SQLITE_NOTADB && standing.isReady)
        else { return error }
        standing.damage = error
        signals.hasMetDamage = true
        return error
    }
}
