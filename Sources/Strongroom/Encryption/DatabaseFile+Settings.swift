extension DatabaseFile {
    /// Gives connections cipher settings, after those of the configuration.
    mutating func prepare(with pragmas: [String]) {
        for pragma in pragmas { configuration.prepareDatabase { try $0.run(pragma) } }
    }

    /// The file with the cipher settings that its key opens it with, as far as they can be found.
    package func withFoundSettings() throws -> DatabaseFile {
        guard configuration.setups.isEmpty, let key, !opens() else { return self }
        do {
            try requireDatabase()
            let handle = try ConnectionHandle(path: fileSystem.resolve(path), flags: .readOnly)
            guard let file = handle.rawFile() else { return self }
            let work = DiagnosisWork(
                file: self, hints: DiagnosisHints(), threads: 1, meter: ProgressMeter(nil),
                byteCount: file.byteCount, read: file.read)
            let finding = try work.findSettings(key)
            withExtendedLifetime(handle) {}
            guard let finding else { return self }
            var found = self
            found.prepare(with: finding.settings.pragmas(salt: finding.salt))
            return found
        } catch {
            throw explain(error)
        }
    }

    /// Whether a change would leave the settings of the configuration as they are.
    package func isUnchanged(by change: CipherChange) -> Bool {
        let settings = preparedSettings()
        return (try? change.settings(after: settings)) == settings
    }
}
