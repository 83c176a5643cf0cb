extension DatabaseFile {
    /// Further keys and copies that may help to open a file.
    public struct DiagnosisHints: Sendable {
        /// Other keys that pages may have, such as the key before the last rotation.
        public var otherKeys: [CipherKey]
        /// Copies of the database that provide the salt if the file's own is damaged.
        public var backups: [String]

        /// Creates hints of either kind, or none.
        public init(otherKeys: [CipherKey] = [], backups: [String] = []) {
            self.otherKeys = otherKeys
            self.backups = backups
        }
    }

    /// Finds out what a file is, and what is wrong with it. Without a key, it finds out less.
    ///
    /// It reads the file directly, and never writes anything to it or next to it. Several threads
    /// verify every page, in memory that does not grow with the file. If the settings in
    /// ``configuration`` do not open the file, it tries all page sizes and HMACs, with the key
    /// derivations of SQLCipher 1 to 4. Other connections can keep using the database, because
    /// damaged pages are read twice.
    ///
    /// ```swift
    /// let diagnosis = try DatabaseFile(path: "app.db", key: key).diagnose()
    /// print(diagnosis.summary, diagnosis.advice ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - hints: Other keys, and copies that have the salt.
    ///   - threads: How many threads verify; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``DatabaseFileError`` only if no file can be read. For a damaged or unknown file,
    ///   it returns a diagnosis.
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
