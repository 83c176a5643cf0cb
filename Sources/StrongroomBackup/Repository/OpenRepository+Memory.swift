import StrongroomCore

extension OpenRepository {
    /// Compares a head with what the host remembers.
    ///
    /// - Throws: ``BackupError``: `.rolledBack`.
    func compareWithMemory(_ text: HeadText) throws {
        guard let memory, !acceptsRollback else { return }
        let head = text.head
        guard let known = try memory.entry(at: place) else { return }
        current.known = known
        guard known.repository == head.repository else {
            throw rolledBack("\(path) is not the repository that was here before")
        }
        let now = BackupMemory.Entry(text, at: place)
        if known.isLater(than: now) || known.sequence > now.sequence {
            throw rolledBack(
                "\(path) was put back to an older state: it has \(count(now)), and had \(count(known))"
            )
        }
        guard try hasGoneOn(from: known, head, now) else {
            throw rolledBack(
                "\(path) has diverged from its remembered state: backup \(known.sequence) was "
                    + "\(known.manifest?.prefix(8) ?? "not there"), and is now a different one or missing"
            )
        }
        try requireSuccession(from: known.signer, head)
    }

    private func hasGoneOn(
        from known: BackupMemory.Entry, _ head: Head, _ now: BackupMemory.Entry
    ) throws -> Bool {
        if known.head == now.head { return true }
        if known.generation != nil, known.generation == now.generation { return false }
        // Then this head was compared before, and what came with it was taken in.
        if known.chain?.head == now.head { return true }
        guard let manifest = known.manifest else { return true }
        for link in try BackupChain(self, head) {
            if link.number == known.sequence, link.isVouchedFor {
                return link.digest?.hexadecimal == manifest
            }
            // A manifest that is damaged is for whoever needs it to find. That the head is a later one,
            // its signature says, if it is by somebody who belongs to the one remembered.
            if case .failure = link.backup { return head.signer != nil && known.signer != nil }
        }
        return false
    }

    private func requireSuccession(from signer: String?, _ head: Head) throws {
        guard let signer else { return }
        let authorities = Authorities(head.authorities ?? [])
        guard let successor = head.signer, authorities.authorise(successor, for: signer) else {
            throw rolledBack(
                "\(path) is not signed by \(signer.prefix(8)), nor by a key that it has introduced")
        }
    }

    private func count(_ entry: BackupMemory.Entry) -> String {
        let backups = entry.sequence == 1 ? "1 backup" : "\(entry.sequence) backups"
        guard let generation = entry.generation else { return backups }
        return "\(backups) (head \(generation))"
    }

    private func rolledBack(_ what: String) -> BackupError {
        BackupError(
            .rolledBack, path, what,
            hint: "find out who has changed it; if it was you, set acceptsRollback once",
            step: BackupStep.acceptChange)
    }

    /// Notes in which state the repository was seen.
    ///
    /// - Returns: What there is to tell if it can't be noted.
    func remember(
        _ finding: BackupMemory.Finding? = nil, source: BackupMemory.Entry.Source? = nil,
        chain: ChainSummary? = nil, database: String? = nil
    ) -> [String] {
        guard let memory, let text = current.value else { return [] }
        do {
            var entry = BackupMemory.Entry(text, at: place)
            entry.source = source
            entry.chain = chain
            entry.databases = try database.map { [try databaseDigest($0)] }
            // The key of the database has just signed.
            if database != nil { entry.knowsSigner = true }
            try memory.remember(
                entry, goingBack: acceptsRollback, finding, operation ?? LongOperation())
            return laterElsewhere(text, memory)
        } catch {
            let reason =
                error is LongOperation.Stopped ? "another process uses it" : memory.reason(error)
            return [
                "cannot remember this repository's state in \(memory.folder) (\(reason)), so a repository that "
                    + "is put back to an older state would go unnoticed, and its status does not know what was found"
            ]
        }
    }

    /// Notes the damage that stops some work on a repository that is remembered.
    ///
    /// - Parameter key: The identifier of the key with which it is looked for.
    func rememberingDamage<Result>(
        key: String? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as BackupError where error.code == .damaged && isOfRepository(error) {
            remember(damage: error.message, key: key)
            throw error
        }
    }

    /// Notes damage of which nobody may hear again but by the status.
    func remember(damage: String, key: String? = nil) {
        let finding = BackupMemory.Finding(
            date: WrittenTime.text(of: now()), problem: damage, isWhole: false,
            keys: key.map { [$0] } ?? [])
        // Whatever keeps it from being noted, the next operation that notes anything reports.
        if current.value != nil {
            _ = remember(finding)
        } else {
            try? memory?.update(place) { $0.note(finding) }
        }
    }

    /// Notes whether a backup that was restored with its key is a sound database.
    func remember(_ backup: Backup, isSound: Bool) {
        let date = WrittenTime.text(of: now())
        if !isSound { _ = remember() }
        try? memory?.update(place) { entry in
            if isSound { entry.noteSound(backup) } else { entry.noteUnsound(backup, at: date) }
        }
    }

    private func isOfRepository(_ error: BackupError) -> Bool {
        error.path == path || error.path.hasPrefix(path.appendingName(""))
    }

    /// Whether a database is from outside as it was when a backup was made on this host.
    ///
    /// A memory that can't be read knows of nothing: the database is read then.
    func knows(_ footprint: FileFootprint, since backup: Backup) -> Bool {
        guard let memory, let entry = try? current.known ?? memory.entry(at: place) else {
            return false
        }
        return entry.source
            == BackupMemory.Entry.Source(
                manifest: backup.hash, footprint: footprint.digest.hexadecimal)
    }

    /// Notes that a restored backup replaces a database.
    func rememberRestored(_ path: String) {
        guard let digest = try? databaseDigest(path) else { return }
        try? memory?.update(place) { entry in
            guard entry.databases?.contains(digest) == true else { return }
            entry.restored = BackupMemory.Entry.merging(entry.restored, [digest])
        }
    }

    /// Whether this host has replaced a database by a backup, and not backed it up since.
    func wasRestored(_ path: String) -> Bool {
        guard let memory, let entry = try? memory.entry(at: place),
            let digest = try? databaseDigest(path)
        else { return false }
        return entry.restored?.contains(digest) == true
    }

    /// Whether this host remembers that it backed up the file at a path.
    func hasBackedUp(_ path: String) -> Bool {
        guard let memory, let entry = try? memory.entry(at: place),
            let digest = try? databaseDigest(path)
        else { return false }
        return entry.databases?.contains(digest) == true
    }

    private func databaseDigest(_ path: String) throws -> String {
        let place = (try? fileSystem.resolve(path)) ?? path
        return try BackupMemory.digest(ofDatabase: place)
    }

    /// Remembers a state that somebody has told the host to accept.
    func rememberAccepted() {
        // Where that is not possible, the next operation refuses again.
        if acceptsRollback { _ = remember() }
    }

    /// A copy may be older than the repository that it was made of, which is worth knowing.
    private func laterElsewhere(_ text: HeadText, _ memory: BackupMemory) -> [String] {
        let now = BackupMemory.Entry(text, at: place)
        // At its own path another run may have gone on meanwhile.
        let later = memory.entries(of: now.repository, besides: now.path)
            .filter { $0.isLater(than: now) }
        guard let last = later.max(by: { $1.isLater(than: $0) }) else { return [] }
        return [
            "\(path) has \(count(now)), but its copy \(last.path) had \(count(last)) when this host last "
                + "used it"
        ]
    }

    /// The path without links, by which it is remembered.
    var place: String { (try? fileSystem.resolve(path)) ?? path }
}
