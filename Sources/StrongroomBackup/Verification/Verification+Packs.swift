import StrongroomCore
internal import Synchronization

extension Verification {
    func verifyPacks(
        _ store: PackStore, _ head: Head, _ backups: [AuthenticBackup],
        _ keys: [String: BackupKey]
    ) throws {
        let numbers = store.names.keys.filter { $0 < head.nextPack }.sorted()
        var owners: [UInt32: AuthenticBackup] = [:]
        for backup in backups {
            let manifest = backup.backup.manifest
            let end = UInt64(manifest.firstPack) + UInt64(manifest.packCount)
            for number in numbers where number >= manifest.firstPack && number < end {
                owners[number] = backup
            }
        }
        let total = try numbers.flatMap { store.names[$0] ?? [] }.reduce(into: Int64(0)) {
            $0 += try store.folder.byteCount(of: $1) ?? 0
        }
        try operation.begin(.verifying, totalByteCount: total)
        let failure = Shared<(any Error)?>(nil)
        let next = Shared(0)
        let owned = owners
        SystemThread.share(among: min(threads, numbers.count)) {
            while failure.value.withLock({ $0 == nil }) {
                let index = next.value.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard index < numbers.count else { return }
                let number = numbers[index]
                do {
                    let names = store.names[number] ?? []
                    for name in names {
                        try verifyPack(
                            name, number, hasRival: names.count > 1, owned[number], keys)
                    }
                } catch {
                    failure.value.withLock { $0 = error }
                }
            }
        }
        if let failure = failure.value.withLock({ $0 }) { throw failure }
    }

    private func verifyPack(
        _ name: String, _ number: UInt32, hasRival: Bool, _ owner: AuthenticBackup?,
        _ keys: [String: BackupKey]
    ) throws {
        do {
            guard let digest = PackFormat.parse(name)?.digest else { return }
            let reader = try PackReader(
                name, in: repository.folders.packs, number: number)
            let rows = try reader.verifiedRows(digest)
            var authenticator: PageAuthenticator?
            if let owner, let key = keys[owner.backup.keyIdentifier] {
                authenticator = try PageAuthenticator(
                    key: key.bytes, settings: owner.settings, forManyPages: rows.count > 1000)
            }
            try verifyEntries(reader, rows, hasRival: hasRival, &authenticator)
        } catch {
            // Whatever is wrong with it as a whole, trees tell which backups it concerns.
            try note(error)
            damaged.value.withLock { $0.insert(nil, of: number, name, hasRival: hasRival) }
        }
    }

    private func verifyEntries(
        _ reader: PackReader, _ rows: [PackRow], hasRival: Bool,
        _ authenticator: inout PageAuthenticator?
    ) throws {
        let entries = PackEntries(reader, readsAhead: sample == 1)
        for (slot, row) in rows.enumerated() where !row.isDropped {
            if row.page != 0, sample < 1, Double.random(in: 0..<1) >= sample { continue }
            if try !entries.read(row, slot) {
                try verify(entries, hasRival: hasRival, &authenticator)
                _ = try entries.read(row, slot)
            }
        }
        try verify(entries, hasRival: hasRival, &authenticator)
        try operation.advance(by: rows.reduce(0) { $0 + Int($1.length) })
    }

    /// Verifies what was read, and frees memory for more.
    private func verify(
        _ entries: PackEntries, hasRival: Bool, _ authenticator: inout PageAuthenticator?
    ) throws {
        try operation.check()
        defer { entries.removeAll() }
        let digests = try ContentDigest.digests(of: entries.all.map(\.bytes))
        let verdicts = try verdicts(on: entries, &authenticator)
        for (index, entry) in entries.all.enumerated() {
            let isWhole = digests[index] == entry.row.digest
            let page = entry.row.page
            guard !isWhole || verdicts[index] == .damaged else {
                if page == 0, !hasRival { keep(entry, of: entries.reader) }
                continue
            }
            let what = page == 0 ? "a node" : "what is stored of page \(page)"
            let reader = entries.reader
            try note(
                BackupError.damaged(
                    reader.path,
                    what + (isWhole ? " was not written with the key" : " was changed")))
            damaged.value.withLock {
                $0.insert(
                    UInt32(entry.slot), of: reader.number, reader.name, hasRival: hasRival)
            }
        }
        report.value.withLock {
            $0.pageCount += entries.all.count { $0.row.page != 0 }
            $0.authenticatedPageCount += verdicts.count { $0 == .authentic }
        }
    }

    private func keep(_ node: PackEntries.Entry, of reader: PackReader) {
        let reference = PageReference(
            node.row.digest, pack: reader.number, slot: UInt32(node.slot))
        nodes.value.withLock { $0.insert(node.bytes, reference) }
    }

    /// Nil for nodes, and for all if there is no key.
    private func verdicts(
        on entries: PackEntries, _ authenticator: inout PageAuthenticator?
    ) throws -> [PageVerdict?] {
        var verdicts = [PageVerdict?](repeating: nil, count: entries.all.count)
        guard let pageSize = authenticator?.pageSize else { return verdicts }
        let pages = entries.all.indices.filter { entries.all[$0].row.page != 0 }
        for index in pages { verdicts[index] = .damaged }
        let whole = pages.filter { entries.all[$0].bytes.count == pageSize }
        let found = try authenticator?.verdicts(on: whole.map { entries.page($0) }) ?? []
        for (index, verdict) in zip(whole, found) { verdicts[index] = verdict }
        return verdicts
    }
}
