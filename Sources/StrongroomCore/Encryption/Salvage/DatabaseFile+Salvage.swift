extension DatabaseFile {
    /// Recovers the intact rows of a damaged file into a new one.
    ///
    /// If one of the keys wrote every page (a `rekey` that stopped half-way, a lost salt with a raw
    /// key, other settings), nothing is lost. If pages are damaged or missing, every row of every
    /// other page is recovered, with its number: the tables are read page by page, without the lost
    /// parts, and indexes are rebuilt. Unused pages are skipped, so that deleted rows stay deleted.
    /// Rows of an unknown table go into a separate table, and the report lists what is lost.
    ///
    /// This only reads the damaged file. The new file is synced and verified before it gets its
    /// name. It has the key and the cipher settings of `destination`, a new salt, and only its
    /// owner can read it.
    ///
    /// - Parameters:
    ///   - destination: The path of the new file, with its key and settings.
    ///   - hints: Other keys that pages may have, and copies of the database that have the salt.
    ///   - overwrite: Whether to replace an existing file. A file in use is never replaced.
    ///   - runningModules: Whether SQLite's modules check full-text and other virtual tables,
    ///     rebuild full-text indexes that do not match the recovered rows, and leave out those that
    ///     cannot be rebuilt. Otherwise, virtual tables are copied as stored. A crafted file can
    ///     exploit a defect in the module that reads it: use this only if you trust the file's
    ///     author.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``DatabaseFileError`` if no key opens the file, or nothing can be recovered; then,
    ///   and if `progress` throws, the destination is unchanged.
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
