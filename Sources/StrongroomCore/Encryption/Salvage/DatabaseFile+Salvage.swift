extension DatabaseFile {
    /// Writes what can be saved of a damaged file into a new one.
    ///
    /// Where every page was written by one of the keys (a change of key that stopped half-way, a
    /// salt that is lost beside a raw key, other settings), nothing is lost. Where pages are
    /// damaged or missing, every row of every other page is saved, with its number: the tables are
    /// read page by page, without the parts that are lost; indexes are built again. Pages that are
    /// not in use give nothing back, so that deleted rows stay deleted. Rows whose table is not
    /// known any more go into a table of their own, and the report says what is lost.
    ///
    /// The file itself is only read. The new file is verified and on the disk before it appears
    /// under its name; it has the key and the cipher settings of `destination`, a new salt, and
    /// belongs to nobody else.
    ///
    /// - Parameters:
    ///   - destination: Where the new file shall be, with its key and settings.
    ///   - hints: Another key that pages may have, and copies of the database that know the salt.
    ///   - overwrite: Whether an existing file may be replaced. One in use is never replaced.
    ///   - runningModules: Whether SQLite's modules examine full-text and other virtual tables,
    ///     build full-text indexes again that do not agree with the saved rows, and leave out what
    ///     cannot be built. Otherwise virtual tables are as they were saved. A module reads what
    ///     the file holds in its place: ask for it only where you trust the file's author.
    ///   - threads: How many threads share the work; by default one for each processor, up to 4.
    ///   - progress: Called as the work advances. An error that it throws ends the work.
    /// - Throws: ``DatabaseFileError`` if no key opens the file, or nothing can be saved; then, and
    ///   if `progress` throws, the destination is as it was before.
    @discardableResult
    public func salvage(
        to destination: DatabaseFile, hints: DiagnosisHints = DiagnosisHints(),
        overwrite: Bool = false, runningModules: Bool = false, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> SalvageReport {
        var destination = destination
        destination.runsModules = runningModules
        return try LongOperation.run(progress) { [destination] operation in
            try salvage(to: destination, hints, overwrite, threads, operation)
        }
    }

    private func salvage(
        to destination: DatabaseFile, _ hints: DiagnosisHints, _ overwrite: Bool, _ threads: Int?,
        _ operation: LongOperation
    ) throws -> SalvageReport {
        do {
            try operation.begin(.preparing)
            guard destination.key != nil else {
                throw DatabaseFileError(
                    .keyRequired, destination.path, "no key was given for \(destination.path)",
                    hint: "give the key of the new file")
            }
            try destination.requireFreeName(overwrite: overwrite, source: requireFile())
            try OtherNames.requireOwnName(fileSystem.resolve(path), fileSystem)
            return try examine(hints, threads, operation, undoing: true) { diagnosis, diagnosed in
                guard let diagnosed else { throw unsalvageable(diagnosis) }
                try requireProof(of: diagnosed, diagnosis)
                return try salvage(diagnosed, diagnosis, to: destination, overwrite, operation)
            }
        } catch {
            throw explain(error)
        }
    }

    private func salvage(
        _ diagnosed: DiagnosedFile, _ diagnosis: DatabaseDiagnosis, to destination: DatabaseFile,
        _ overwrite: Bool, _ operation: LongOperation
    ) throws -> SalvageReport {
        do {
            let replacement = try FileReplacement(
                of: destination.path, sidecarSuffixes: Self.sidecarSuffixes,
                fileSystem: destination.fileSystem)
            replacement.removeLeftovers()
            func write(
                _ fill: (FileReplacement.Temporary) throws -> SalvageReport
            ) throws -> SalvageReport {
                var replaced: ReplacedDatabase?
                var report = try replacement.write(
                    overwrite: overwrite, check: operation.check, fill: fill
                ) {
                    try operation.begin(.finishing)
                    try destination.requireFreeName(overwrite: overwrite, source: nil)
                    replaced = try ReplacedDatabase(of: replacement, fileSystem)
                }
                replaced?.spoil()
                report.lostPages = diagnosis.damagedPages + diagnosis.missingPages
                report.notes += diagnosis.leftOut
                report.undidTransaction = diagnosis.isUndone
                return report
            }
            if let pages = try PageSalvage(diagnosed, destination: destination, operation) {
                do {
                    return try write(pages.run)
                } catch is PageSalvage.Unsound {
                    // Every page is what was written, and yet they do not fit together.
                }
            }
            let rows = VerifiedSalvage(
                diagnosed: diagnosed, source: self, destination: destination, operation: operation)
            return try write(rows.run)
        } catch let error as DatabaseError {
            throw destination.explain(error)
        } catch let error as SystemError {
            throw destination.explain(error)
        } catch let error as FileReplacement.NotDurable {
            throw destination.explain(error)
        }
    }

    /// Refuses what no HMAC vouches for, unless the configuration says that it has none.
    private func requireProof(
        of diagnosed: DiagnosedFile, _ diagnosis: DatabaseDiagnosis
    ) throws {
        guard diagnosis.verdict != .damagedSalt, let settings = diagnosed.keys.first?.settings,
            settings.authentication == .absent, prepared().settings.authentication != .absent
        else { return }
        throw DatabaseFileError.unauthenticated(path, settings)
    }

    private func unsalvageable(_ diagnosis: DatabaseDiagnosis) -> DatabaseFileError {
        if diagnosis.lacksSalt, key != nil { return .plaintextHeader(path, hasSalt: false) }
        let code: DatabaseFileError.Code =
            switch diagnosis.verdict {
            case .wrongKey: .wrongKey
            case .keyNeeded: .keyRequired
            case .plaintext: .plaintext
            case .damaged: .damaged
            default: .notADatabase
            }
        return DatabaseFileError(code, path, diagnosis.summary, hint: diagnosis.advice)
    }
}
