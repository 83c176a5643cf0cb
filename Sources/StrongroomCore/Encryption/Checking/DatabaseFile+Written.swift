extension DatabaseFile {
    /// Checks a file that this process has written, by software that did not write it: SQLCipher
    /// authenticates the pages, and SQLite checks the structure of the database.
    ///
    /// In a large file both go on at once, and SQLite reads pages that our page codec decrypts.
    /// SQLCipher cannot be interrupted: where this throws, its thread goes on for some seconds.
    ///
    /// - Parameter check: Called again and again; what it throws ends the work.
    /// - Throws: As ``check(quick:runningModules:progress:)``.
    package func checkWritten(_ check: @escaping () throws -> Void) throws -> IntegrityReport {
        let byteCount = try requireDatabase().byteCount
        let isLarge = byteCount > CipherIntegrity.uninterruptedByteCount
        let authentication = isLarge ? BackgroundThread { try messagesOfSQLCipher(byteCount) } : nil
        // SQLCipher authenticates what SQLite reads of a small one.
        var report = try self.check(quick: true, authenticating: isLarge) { _ in try check() }
        for message in try authentication?.wait(check) ?? [] {
            report.add(.cipher, page: CipherIntegrity.page(in: message), message)
        }
        return report
    }

    /// Which pages SQLCipher does not find authentic. Of pages of zeros, some may never have been
    /// written; these are not judged here.
    private func messagesOfSQLCipher(_ byteCount: Int64) throws -> [String] {
        try ProcessEnd.use { () throws in
            let database = try makeConnection(.verifying)
            defer { try? database.close() }
            let integrity = try CipherIntegrity(of: database, fileByteCount: byteCount)
            guard let file = try database.withHandle({ $0.rawFile() }) else {
                return integrity.messages
            }
            let pages = PageSource(
                byteCount: file.byteCount, pageSize: integrity.pageSize, read: file.read)
            return try integrity.messages.filter { message in
                guard let page = CipherIntegrity.page(in: message).flatMap(UInt32.init(exactly:))
                else { return true }
                return try !pages.isBlank(page)
            }
        }
    }
}
