internal import Dispatch
import Strongroom
internal import Synchronization

extension Verification {
    func verifyPacks(
        _ store: PackStore, _ head: Head, _ manifests: [Backup], _ keys: [String: BackupKey]
    ) throws {
        var owners: [UInt32: Backup] = [:]
        for backup in manifests {
            for index in 0..<backup.manifest.packCount {
                owners[backup.manifest.firstPack &+ index] = backup
            }
        }
        let numbers = store.names.keys.filter { $0 < head.nextPack }.sorted()
        let fileSystem = repository.fileSystem
        let total = try numbers.flatMap { store.names[$0] ?? [] }.reduce(into: Int64(0)) {
            $0 += try fileSystem.status(store.layout.packs.appendingName($1)).byteCount
        }
        try work.begin(.verifying, byteCount: total)
        let failure = Shared<(any Error)?>(nil)
        let next = Shared(0)
        let owned = owners
        DispatchQueue.concurrentPerform(iterations: min(threads, max(1, numbers.count))) { _ in
            while failure.value.withLock({ $0 == nil }) {
                let index = next.value.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard index < numbers.count else { return }
                let number = numbers[index]
                do {
                    for name in store.names[number] ?? [] {
                        try verifyPack(name, number, owned[number], keys)
                    }
                } catch {
                    failure.value.withLock { $0 = error }
                }
            }
        }
        if let failure = failure.value.withLock({ $0 }) { throw failure }
    }

    private func verifyPack(
        _ name: String, _ number: UInt32, _ owner: Backup?, _ keys: [String: BackupKey]
    ) throws {
        let path = repository.layout.packs.appendingName(name)
        do {
            guard let digest = PackFormat.parse(name)?.digest else { return }
            let reader = try PackReader(path, number: number, repository.fileSystem)
            let rows = try reader.verifiedRows(digest)
            var authenticator: PageAuthenticator?
            if let owner, let key = keys[owner.keyIdentifier],
                let settings = owner.manifest.cipher.settings
            {
                authenticator = try PageAuthenticator(key: key.bytes, settings: settings)
            }
            try verifyEntries(reader, rows, &authenticator)
        } catch {
            // Whatever is wrong with it as a whole, trees tell which backups it concerns.
            try note(error)
            damaged.value.withLock { _ = $0.insert(UInt64(number) << 32 | 0xffff_ffff) }
        }
    }

    private func verifyEntries(
        _ reader: PackReader, _ rows: [PackRow], _ authenticator: inout PageAuthenticator?
    ) throws {
        var hasher = try ContentHasher()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 4096)
        defer { memory.deallocate() }
        var pages = (read: 0, authentic: 0)
        for (slot, row) in rows.enumerated() where !row.isDropped {
            if slot.isMultiple(of: 256) { try work.check() }
            if row.page != 0, sample < 1, Double.random(in: 0..<1) >= sample { continue }
            guard row.length <= UInt32(memory.count) else {
                throw BackupError.damaged(reader.path, "entry \(slot) is too long")
            }
            let entry = UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(row.length)])
            try reader.read(entry, at: row.offset)
            let bytes = UnsafeRawBufferPointer(entry)
            let isWhole = try hasher.digest(of: bytes) == row.digest
            let verdict =
                row.page == 0 ? nil : try authenticator?.verdict(on: bytes, number: row.page)
            if !isWhole || verdict == .damaged {
                let what = row.page == 0 ? "a node" : "what is stored of page \(row.page)"
                try note(
                    BackupError.damaged(
                        reader.path,
                        what + (isWhole ? " was not written with the key" : " was changed")))
                damaged.value.withLock {
                    _ = $0.insert(UInt64(reader.number) << 32 | UInt64(slot))
                }
            }
            if row.page != 0 { pages.read += 1 }
            if verdict == .authentic { pages.authentic += 1 }
        }
        report.value.withLock {
            $0.pageCount += pages.read
            $0.authenticatedPageCount += pages.authentic
        }
        try work.advance(by: rows.reduce(0) { $0 + Int($1.length) })
    }
}
