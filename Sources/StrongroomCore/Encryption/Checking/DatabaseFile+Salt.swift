extension DatabaseFile {
    /// What was found, and that the salt of the file is not that of the key.
    ///
    /// SQLCipher takes the salt of a key that has one, and no HMAC covers that of the file: only
    /// programs that read the salt from the file fail. In a log, page 1 may have another salt.
    ///
    /// - Parameter database: The connection that was examined, whose file counts, whatever has its name now.
    func addingSalt(of database: Database, to report: IntegrityReport) throws -> IntegrityReport {
        let path = try fileSystem.resolve(path)
        guard let salt = key?.salt, prepared().settings.hasSaltInFile,
            CompanionFiles(of: path, fileSystem) == nil,
            let file = try database.withHandle({ $0.rawFile() }),
            let verdict = try? FileVerdict(of: file),
            [.encrypted, .unknown].contains(verdict.kind), let fileSalt = verdict.salt,
            fileSalt != salt
        else { return report }
        var report = report
        report.add(
            .cipher, page: 1,
            "the salt at the beginning of the file is damaged: it is not that of the key")
        return report
    }
}
