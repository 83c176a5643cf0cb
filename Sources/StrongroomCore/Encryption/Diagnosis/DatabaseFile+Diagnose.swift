extension DatabaseFile {
    /// What else may open a file besides its own key.
    public struct DiagnosisHints: Sendable {
        /// Other keys that pages may have, such as the one before the last change.
        public var otherKeys: [CipherKey]
        /// Copies of the database, from which the salt is taken if that of the file is damaged.
        public var backups: [String]

        /// Hints of either sort, or none.
        public init(otherKeys: [CipherKey] = [], backups: [String] = []) {
            self.otherKeys = otherKeys
            self.backups = backups
        }
    }

    /// Finds out what a file is, and what is wrong with it; without a key as far as one can.
    ///
    /// The file is read as it lies on the disk, and never written to, nor anything beside it. Every
    /// page is verified, by several threads in memory that does not grow with the file. Where the
    /// settings of ``configuration`` do not open the file, all page sizes and HMACs are tried, with
    /// the derivations of SQLCipher 1 to 4. Others may go on using the database; what is found
    /// damaged is read twice.
    ///
    /// ```swift
    /// let diagnosis = try DatabaseFile(path: "app.db", key: key).diagnose()
    /// print(diagnosis.summary, diagnosis.advice ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - hints: What the caller knows of the file: other keys, and the salt.
    ///   - threads: How many verify at once; by default one for each processor, up to 4.
    ///   - progress: Called as the work advances. An error that it throws ends the work.
    /// - Throws: ``DatabaseFileError`` only if there is no file that could be read; a file that is
    ///   damaged, or none of ours, is a diagnosis.
    public func diagnose(
        hints: DiagnosisHints = DiagnosisHints(), threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> DatabaseDiagnosis {
        try LongOperation.run(progress) { operation in
            do {
                try operation.begin(.preparing)
                return try examine(hints, threads, operation) { diagnosis, _ in diagnosis }
            } catch {
                throw explainAccess(error)
            }
        }
    }

    /// Finds out what the file is, and calls a function while it is open.
    ///
    /// - Parameter undoing: Whether a transaction that a crash interrupted is undone in memory.
    func examine<R>(
        _ hints: DiagnosisHints, _ threads: Int?, _ operation: LongOperation,
        undoing: Bool = false,
        _ body: (DatabaseDiagnosis, DiagnosedFile?) throws -> R
    ) throws -> R {
        let status = try requireFile()
        guard status.byteCount > 0 else {
            var diagnosis = DatabaseDiagnosis(path: path, verdict: .empty, byteCount: 0)
            diagnosis.summary = "\(path) is empty"
            diagnosis.log = try LogFile(fileSystem.resolve(path) + "-wal", fileSystem)?.summary
            diagnosis.advice = diagnosis.usualAdvice
            return try body(diagnosis, nil)
        }
        // SQLite's own descriptor: closing another would drop the locks of this process.
        let handle = try ConnectionHandle(path: fileSystem.resolve(path), flags: .readOnly)
        guard let file = handle.rawFile() else { throw DatabaseError(code: .SQLITE_CANTOPEN) }
        let examination = FileExamination(
            file: self, hints: hints, threads: threads ?? ThreadCount.usual, operation: operation,
            byteCount: file.byteCount, read: file.read)
        var (diagnosis, diagnosed) =
            try undoing ? examination.runUndoing() : examination.run()
        if let other = OtherNames.nameInUse(of: try fileSystem.resolve(path), fileSystem) {
            diagnosis.notes.append(
                "\(path) is another name (hard link) of \(other), next to which lies a log or a "
                    + "journal: examine it under that name")
        }
        diagnosis.advice = diagnosis.usualAdvice
        let result = try body(diagnosis, diagnosed)
        withExtendedLifetime(handle) {}
        return result
    }

    /// The cipher settings that the configuration's preparation gives, and the salt for a file that
    /// does not have it itself; nothing is opened for it.
    func prepared() -> (settings: CipherSettings, salt: CipherSalt?) {
        let usual = CipherSettings.version(.v4)
        var opening = opening(of: ":memory:", .readWrite, for: .learning)
        opening.toleratesFailures = true
        guard !configuration.setups.isEmpty, let database = try? opening.begin() else {
            return (usual, key?.salt ?? knownSalt)
        }
        defer { try? database.close() }
        _ = try? opening.prepare(database)
        guard let settings = try? database.cipherSettings() else {
            return (usual, key?.salt ?? knownSalt)
        }
        guard !settings.hasSaltInFile, key?.salt == nil else {
            return (settings, key?.salt ?? knownSalt)
        }
        let parameters = try? database.withHandle { handle throws(DatabaseError) in
            try handle.keyParameters()
        }
        return (settings, parameters.flatMap { CipherSalt($0.salt) })
    }
}
