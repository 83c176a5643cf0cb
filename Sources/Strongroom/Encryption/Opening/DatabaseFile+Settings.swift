extension DatabaseFile {
    /// Gives connections cipher settings, after those of the configuration.
    mutating func prepare(with pragmas: [String]) {
        for pragma in pragmas { configuration.prepareDatabase { try $0.run(pragma) } }
    }

    /// The file with cipher settings that somebody has named, those of SQLCipher 4 for the rest.
    package func withSettings(_ change: CipherChange) throws -> DatabaseFile {
        var file = self
        do {
            let settings = try change.settings(after: .version(.v4))
            file.prepare(with: settings.pragmas(salt: key?.salt))
        } catch {
            throw explain(error)
        }
        return file
    }

    /// The file with the cipher settings that its key opens it with, as far as they can be found.
    package func withFoundSettings() throws -> DatabaseFile {
        guard configuration.setups.isEmpty else { return self }
        return try findingSettings() ?? self
    }

    /// The file with the cipher settings that its key opens it with; nil if they cannot be found.
    ///
    /// - Parameter change: Settings that it may have, tried first, with their number of iterations
    ///   in all that is tried after.
    package func findingSettings(trying change: CipherChange? = nil) throws -> DatabaseFile? {
        let named = try change.map(withSettings)
        if let named, named.opens() { return named }
        if opens() { return self }
        guard let key else { return nil }
        do {
            try requireDatabase()
            let handle = try ConnectionHandle(path: fileSystem.resolve(path), flags: .readOnly)
            guard let file = handle.rawFile() else { return nil }
            let work = DiagnosisWork(
                file: named ?? self, hints: DiagnosisHints(), threads: 1,
                operation: LongOperation(),
                byteCount: file.byteCount, read: file.read)
            let finding = try work.findSettings(key)
            withExtendedLifetime(handle) {}
            guard let finding else { return nil }
            var found = self
            found.prepare(with: finding.settings.pragmas(salt: finding.salt))
            return found.opens() ? found : nil
        } catch {
            throw explain(error)
        }
    }

    /// Whether a change would leave the settings of the configuration as they are.
    package func isUnchanged(by change: CipherChange) -> Bool {
        let settings = preparedSettings()
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
        let work = DiagnosisWork(
            file: self, hints: DiagnosisHints(), threads: 1, operation: LongOperation(),
            byteCount: file.byteCount, read: file.read)
        let opens = (try? work.opensSample(key)) ?? false
        withExtendedLifetime(handle) {}
        return opens
    }

    /// The settings after a change, in the words of ``CipherChange``, and as the pragmas that programs
    /// have to give; nil if they are the usual ones.
    package func unusualSettings(
        after change: CipherChange
    ) -> (words: String, pragmas: [String])? {
        let usual = CipherSettings.version(.v4)
        guard let settings = try? change.settings(after: preparedSettings()), settings != usual
        else { return nil }
        let usualPragmas = Set(usual.pragmas(salt: nil))
        return (
            settings.words,
            settings.pragmas(salt: nil).filter { !usualPragmas.contains($0) }
        )
    }
}

extension CipherSettings {
    /// What distinguishes them from those of a version of SQLCipher: `page-size=8192,hmac=sha256`.
    fileprivate var words: String {
        let version =
            Version.allCases.reversed().first {
                CipherSettings.version($0).kdfAlgorithm == kdfAlgorithm
            } ?? .v4
        let base = CipherSettings.version(version)
        var words: [String] = []
        if version != .v4 { words.append("compatibility=\(version.rawValue)") }
        if kdfIterations != base.kdfIterations { words.append("kdf-iterations=\(kdfIterations)") }
        if pageSize != base.pageSize { words.append("page-size=\(pageSize)") }
        if authentication != base.authentication {
            switch authentication {
            case .absent: words.append("hmac=none")
            case .hmac(let hash): words.append("hmac=\(hash.rawValue.lowercased())")
            }
        }
        return words.joined(separator: ",")
    }
}
