import StrongroomCore

/// A database that seems to be an older copy of the one that was backed up last.
struct OlderCopy: Error {
    /// Why it seems so, as a sentence.
    let reason: String
}

extension OpenRepository {
    /// What there is to say of a database that may be an older copy of the one that was backed up last.
    ///
    /// The version of a schema only grows. Other changes leave no trace that could be compared: a file at another
    /// path is reported once, and this host remembers it from then on.
    ///
    /// - Parameter last: The last backup with the key of the database, if there is one.
    /// - Throws: ``OlderCopy`` if such copies are refused.
    func doubtsOfCopy(
        _ path: String, _ source: CommittedPages, since last: Backup?
    ) throws -> [String] {
        guard let last, let reason = reasonForCopy(path, source, last) else { return [] }
        if refusesOlderCopies { throw OlderCopy(reason: reason) }
        return [
            "\(reason): if it is an older copy, its backup is the latest one all the same; remove that one "
                + "(backup forget), and back up the right file"
        ]
    }

    private func reasonForCopy(
        _ path: String, _ source: CommittedPages, _ last: Backup
    ) -> String? {
        let schema = source.numbers["schema_version"] ?? 0
        if schema < last.manifest.schemaVersion {
            return
                "\(path) is older than backup \(last.number), because the version of its schema is \(schema), "
                + "and was \(last.manifest.schemaVersion)"
        }
        guard isElsewhere(path) else { return nil }
        return
            "\(path) has the key of backup \(last.number), which this host made of a file at another path"
    }

    /// Whether this host has backed up databases to the repository, and not from this path.
    private func isElsewhere(_ path: String) -> Bool {
        guard let memory, let databases = try? memory.entry(at: place)?.databases else {
            return false
        }
        return !databases.isEmpty && !hasBackedUp(path)
    }
}
