import StrongroomCore

extension CommittedPages {
    /// Refuses a database whose page 1 begins with damage that no HMAC shows: no restore would pass.
    func requireIntactBeginning(
        _ repository: String, _ authenticating: Bool, _ operation: LongOperation
    ) throws {
        let damage = try refusingCutPages(repository) {
            try damageOfBeginning(examining: authenticating, operation)
        }
        if let damage { throw BackupError.damagedDatabase(repository, 1, damage) }
    }

    /// Nobody makes the file shorter while its state is held: its end was missing before.
    func refusingCutPages<Result>(
        _ repository: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
        {
            throw BackupError.damagedDatabase(
                repository, "the end of the database is missing", underlying: error)
        }
    }
}

extension BackupError {
    static func damagedDatabase(
        _ path: String, _ page: UInt32, _ damage: String? = nil
    ) -> BackupError {
        let reason = damage.map { " (\($0))" } ?? ""
        return damagedDatabase(path, "page \(page) of the database is damaged\(reason)")
    }

    static func damagedDatabase(
        _ path: String, _ damage: String, underlying: (any Error)? = nil
    ) -> BackupError {
        BackupError(
            .damaged, path, damage + ": nothing was backed up",
            hint: "DatabaseFile.check() lists what is damaged; earlier backups are as they were",
            underlying: underlying, step: BackupStep.checkDatabase)
    }
}
