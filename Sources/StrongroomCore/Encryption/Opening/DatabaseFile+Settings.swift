extension DatabaseFile {
    /// Gives connections cipher settings, in place of those of the configuration.
    mutating func prepare(with settings: CipherSettings, salt: CipherSalt?) {
        var pragmas = settings.pragmas(salt: salt)
        // It is left out as long as nobody has said anything else.
        if settings.pageNumbers == .littleEndian, !configuration.setups.isEmpty {
            pragmas.append("PRAGMA cipher_hmac_pgno = le")
        }
        for pragma in pragmas { configuration.prepareDatabase { try $0.run(pragma) } }
    }

    /// The file with cipher settings that somebody has named, those of SQLCipher 4 for the rest.
    package func withSettings(_ description: CipherDescription) throws -> DatabaseFile {
        var file = self
        do {
            file.prepare(
                with: try description.settings(), salt: key?.salt ?? description.salt)
        } catch {
            throw explain(error)
        }
        return file
    }

    /// A file that is to be made with the settings of another one, some of them changed.
    package func withSettings(of source: DatabaseFile, _ change: CipherChange) throws
        -> DatabaseFile
    {
        var file = self
        let (settings, salt) = source.prepared()
        do {
            file.prepare(
                with: try change.settings(after: settings),
                salt: key?.salt ?? (settings.hasSaltInFile ? nil : salt))
        } catch {
            throw explain(error)
        }
        return file
    }

    /// Tries the salt of another key too, which the file had before its key was changed.
    package mutating func useSalt(of key: CipherKey) {
        knownSalt = key.salt ?? knownSalt
    }

    /// Returns the file with the cipher settings that it opens with.
    ///
    /// If the settings in ``configuration`` do not open the file, it tries those of SQLCipher 1 to
    /// 4, with every page size, every HMAC and plaintext headers. It accepts settings only if the
    /// first page is authentic with them. It never finds settings without an HMAC, because anyone
    /// could have changed such a file. For a file with a plaintext header, give the salt with a raw
    /// key, or by `PRAGMA cipher_salt` in ``configuration``.
    ///
    /// ```swift
    /// let file = try DatabaseFile(path: "old.db", key: key).findingCipherSettings()
    /// let queue = try file.open()
    /// ```
    ///
    /// With a passphrase that is wrong, or needs other settings, this derives a key for each number
    /// of iterations in use, which takes about a second. With a raw key, it takes milliseconds.
    ///
    /// - Returns: The file, with ``foundCipherSettings`` if it needs any.
    /// - Throws: ``DatabaseFileError``: `.wrongKey` if no settings are right, or what
    ///   ``open(_:)`` throws.
    public func findingCipherSettings() throws -> DatabaseFile {
        if let found = try findingSettings() { return found }
        // Says why.
        try connect(.reading).close()
        return self
    }

    /// The file with the cipher settings that its key opens it with, as far as they can be found.
    package func withFoundSettings() throws -> DatabaseFile {
        guard findsSettings, configuration.setups.isEmpty else { return self }
        return try findingSettings() ?? self
    }

    /// The file with the cipher settings that its key opens it with; nil if they cannot be found.
    ///
    /// - Parameter named: The file with settings that it may have, tried first; their number of
    ///   iterations and their salt are tried with all others.
    package func findingSettings(trying named: DatabaseFile? = nil) throws -> DatabaseFile? {
        if let named, named.opens() { return named }
        if opens() { return self }
        return try seekingSettings(after: named)
    }

    /// The file with the cipher settings that are found for its key; nil if none are.
    ///
    /// - Parameter named: The file with settings that do not open it, if any were tried but its own.
    package func seekingSettings(after named: DatabaseFile? = nil) throws -> DatabaseFile? {
        guard let key else { return nil }
        do {
            try requireDatabase()
            let handle = try ConnectionHandle(path: fileSystem.resolve(path), flags: .readOnly)
            guard let file = handle.rawFile() else { return nil }
            let (tried, salt) = (named ?? self).prepared()
            let outcome = try SettingsSearch(
                byteCount: file.byteCount, read: file.read, key: key, knownSalt: salt, tried: tried
            ).run()
            withExtendedLifetime(handle) {}
            switch outcome {
            case .nothing: return nil
            case .unauthenticated(let settings):
                throw DatabaseFileError.unauthenticated(path, settings)
            case .found(let settings, let salt):
                let isRaw = key.form != .passphrase
                let isTried = settings == tried || isRaw && settings.hasSameLayout(as: tried)
                guard isTried else { return try found(settings, salt) }
                // What SQLite must not read is refused; what else is wrong, others find out.
                let file = named ?? self
                try file.makeConnection(.reading).close()
                return file
            }
        } catch {
            throw explain(error)
        }
    }

    /// Page 1 is authentic with these settings; what else may be wrong with the file is for others to
    /// find out.
    private func found(
        _ settings: CipherSettings, _ salt: CipherSalt
    ) throws -> DatabaseFile? {
        var found = self
        found.prepare(with: settings, salt: salt)
        let database = try found.makeConnection(.reading)
        defer { try? database.close() }
        do throws(DatabaseError) {
            try database.readFirstPage()
        } catch  where error.resultCode == .SQLITE_NOTADB {
            return nil
        } catch {}
        found.foundCipherSettings = settings.shortPragmas(
            salt: salt, isRaw: key?.form != .passphrase)
        return found
    }

    /// Whether a change would leave the settings of the configuration as they are.
    package func isUnchanged(by change: CipherChange) -> Bool {
        let settings = prepared().settings
        guard let changed = try? change.settings(after: settings) else { return false }
        // From a raw key nothing is derived, and no file tells how often that would be done.
        let isRaw = key.map { $0.form != .passphrase } ?? false
        return isRaw ? changed.hasSameLayout(as: settings) : changed == settings
    }

    /// Whether the key opens some page of a file that may be cut, or damaged, with usual settings.
    package func opensSomePage() -> Bool {
        guard let key, let resolved = try? fileSystem.resolve(path),
            let handle = try? ConnectionHandle(path: resolved, flags: .readOnly),
            let file = handle.rawFile()
        else { return false }
        let examination = FileExamination(
            file: self, hints: DiagnosisHints(), threads: 1, operation: LongOperation(),
            byteCount: file.byteCount, read: file.read)
        let opens = (try? examination.opensSample(key)) ?? false
        withExtendedLifetime(handle) {}
        return opens
    }

    /// The settings after a change, in the words of ``CipherChange``, and as the pragmas that programs
    /// have to give; nil if they are the usual ones.
    package func unusualSettings(
        after change: CipherChange
    ) -> (words: String, pragmas: [String])? {
        let usual = CipherSettings.version(.v4)
        let (prepared, salt) = prepared()
        guard let settings = try? change.settings(after: prepared), settings != usual
        else { return nil }
        let usualPragmas = Set(usual.pragmas(salt: nil))
        return (
            settings.words(salt: key?.salt == nil ? salt : nil),
            settings.pragmas(salt: salt).filter { !usualPragmas.contains($0) }
        )
    }
}

extension DatabaseFileError {
    /// The key decrypts the file, and nothing else speaks for it.
    static func unauthenticated(
        _ path: String, _ settings: CipherSettings
    ) -> DatabaseFileError {
        DatabaseFileError(
            .wrongKey, path,
            "\(path) decrypts with this key, but has no HMACs that verify its content",
            hint: "if it was created without HMACs, run PRAGMA cipher_use_hmac = OFF; "
                + "otherwise it was tampered with",
            step: DatabaseFileStep.nameSettings(
                CipherSettings.options(settings.words(salt: nil))))
    }
}
