public import Foundation
public import Strongroom
internal import Synchronization

/// What a verification authenticates pages and manifests with.
public enum BackupVerificationKey: Sendable {
    /// The database key; the verification key is derived from it for each salt.
    case database(CipherKey)
    /// The 32 bytes of a verification key, which authenticates and cannot decrypt.
    case verification(Data)
}

extension BackupRepository {
    /// Reads what is stored, and verifies it: without a key by hashes, with it by HMACs too.
    ///
    /// Without a key, every change of a file is found: of the packs by the hashes that trees and
    /// tables have of each page, of trees and manifests by the chain of hashes that ends in the
    /// head. Only who could write all of that anew would not be found; with the key, he is.
    ///
    /// - Parameters:
    ///   - key: The key of the backups, or what authenticates them.
    ///   - sample: Which part of the pages is read, by chance; trees and tables always are.
    /// - Returns: What was found, also if the repository is damaged.
    public func verify(
        key: BackupVerificationKey? = nil, sample: Double = 1, threads: Int? = nil,
        progress: BackupProgress.Handler? = nil
    ) throws -> VerificationReport {
        try Work.run(progress) { work in
            try explaining {
                try withReaderLock(work) {
                    let verification = Verification(
                        self, work, sample: sample, threads: threads ?? Self.usualThreadCount)
                    return try verification.run(key)
                }
            }
        }
    }

    /// The key that authenticates the backups of a database key, and decrypts none of them.
    ///
    /// - Parameter name: One of the backups; by default the last one.
    public func verificationKey(of key: CipherKey, for name: String? = nil) throws -> Data {
        try explaining {
            let backup = try backup(name, in: kept(readHead()))
            return try pageKey(key, of: backup).verificationKey().withUnsafeBytes { Data($0) }
        }
    }
}

/// One verification of one repository.
private struct Verification {
    let repository: BackupRepository
    let work: Work
    let sample: Double
    let threads: Int
    let report = Shared(VerificationReport())
    /// Entries that are not what the table of their pack says.
    let damaged = Shared(Set<UInt64>())

    init(_ repository: BackupRepository, _ work: Work, sample: Double, threads: Int) {
        self.repository = repository
        self.work = work
        self.sample = sample
        self.threads = threads
    }

    final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }

    func run(_ key: BackupVerificationKey?) throws -> VerificationReport {
        try work.begin(.verifying)
        let head = try repository.readHead()
        report.value.withLock { $0.hash = head.manifest }
        let manifests = try verifyChain(head)
        let pruned = head.prunedSet
        let kept = manifests.filter { !pruned.contains($0.manifest.sequence) }
        let keys = try keys(key, manifests, kept)
        try verifySeals(manifests, keys, head)
        let store = try PackStore(repository.layout, repository.fileSystem)
        try verifyPacks(store, head, manifests, keys)
        try verifyTrees(kept, store)
        return report.value.withLock { $0 }
    }

    /// All manifests that are what they should be, from the first to the last.
    private func verifyChain(_ head: Head) throws -> [Backup] {
        let names = try repository.manifestNames()
        let pruned = head.prunedSet
        var previous: String?
        var result: [Backup] = []
        for number in stride(from: 1, through: head.sequence, by: 1) {
            do {
                let backup = try repository.readBackup(number, names)
                guard backup.manifest.previous == previous || previous == "?",
                    backup.manifest.repository == head.repository
                else {
                    throw BackupError.damaged(
                        repository.layout.backups,
                        "backup \(number) does not follow the one before it")
                }
                previous = backup.hash
                result.append(backup)
            } catch {
                try note(error)
                if !pruned.contains(number) {
                    report.value.withLock { _ = $0.damagedBackups.insert(Int(number)) }
                }
                previous = "?"
            }
        }
        if previous != head.manifest, previous != "?" {
            try note(
                BackupError.damaged(
                    repository.layout.head, "the last backup is not the one that it names"))
        }
        report.value.withLock {
            $0.backupCount = Int(head.sequence) - pruned.count
        }
        return result
    }

    private func note(_ error: any Error) throws {
        try report.value.withLock { try $0.add(error, repository.path) }
    }

    // MARK: - Keys

    /// The keys that belong to the backups, by their identifiers.
    private func keys(
        _ key: BackupVerificationKey?, _ manifests: [Backup], _ kept: [Backup]
    ) throws -> [String: BackupKey] {
        guard let key else { return [:] }
        var keys: [String: BackupKey] = [:]
        var tried: Set<String> = []
        for backup in manifests where tried.insert(backup.keyIdentifier).inserted {
            let candidate: BackupKey
            switch key {
            case .verification(let bytes):
                var secret = SecretBytes(capacity: bytes.count)
                bytes.withUnsafeBytes { secret.append($0) }
                candidate = try BackupKey(secret)
            case .database(let key):
                guard let settings = backup.manifest.cipher.settings else { continue }
                candidate = try BackupKey(
                    PageKey(
                        key, fileSalt: backup.manifest.cipher.saltValue, settings: settings))
            }
            if candidate.identifier == backup.keyIdentifier {
                keys[backup.keyIdentifier] = candidate
            }
        }
        guard kept.isEmpty || kept.contains(where: { keys[$0.keyIdentifier] != nil }) else {
            throw BackupError(
                .wrongKey, repository.path, "the key is that of no backup in \(repository.path)",
                hint: "give the key that the database had, or verify without one")
        }
        return keys
    }

    private func verifySeals(
        _ manifests: [Backup], _ keys: [String: BackupKey], _ head: Head
    ) throws {
        let pruned = head.prunedSet
        for backup in manifests {
            guard let key = keys[backup.keyIdentifier] else {
                if !keys.isEmpty, !pruned.contains(backup.manifest.sequence) {
                    report.value.withLock { _ = $0.otherKeyBackups.insert(backup.number) }
                }
                continue
            }
            do {
                try repository.requireSeal(of: backup, key)
                report.value.withLock { $0.authenticatedManifestCount += 1 }
            } catch {
                try note(error)
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
    }
}

// MARK: - Packs

extension Verification {
    private func verifyPacks(
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

// MARK: - Trees

extension Verification {
    private func verifyTrees(_ backups: [Backup], _ store: PackStore) throws {
        let damaged = damaged.value.withLock { $0 }
        var walk = TreeWalk(store: store, damaged: damaged)
        for backup in backups {
            guard let root = backup.manifest.rootReference else { continue }
            try work.check()
            let isSound = try walk.verify(
                root, height: TreeNode.height(pageCount: backup.manifest.pageCount),
                pages: 1...backup.manifest.pageCount, pageSize: UInt32(backup.pageSize)
            ) { try note($0) }
            if !isSound {
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
    }
}

/// Follows trees to their pages; what trees share is followed once.
private struct TreeWalk {
    let store: PackStore
    let damaged: Set<UInt64>
    private var known: [UInt64: Bool] = [:]

    init(store: PackStore, damaged: Set<UInt64>) {
        self.store = store
        self.damaged = damaged
    }

    /// Whether all that a node leads to is what it should be.
    mutating func verify(
        _ reference: PageReference, height: Int, pages: ClosedRange<UInt32>, pageSize: UInt32,
        note: (any Error) throws -> Void
    ) throws -> Bool {
        if let known = known[reference.place] {
            // Verified by its own hash before; another hash cannot be right as well.
            return try known && isRow(reference, page: 0, length: nil)
        }
        var isSound = true
        do {
            let node = try store.node(reference)
            let reach = UInt64(1) << UInt64(6 * (height - 1))
            let needed = (UInt64(pages.count) + reach - 1) / reach
            guard UInt64(node.count) == needed else {
                throw BackupError.damaged(store.layout.packs, "a node has another size")
            }
            for (index, child) in node.enumerated() {
                let first = UInt64(pages.lowerBound) + UInt64(index) * reach
                let last = min(UInt64(pages.upperBound), first + reach - 1)
                let isChildSound =
                    height == 1
                    ? try isPage(child, UInt32(first), pageSize, note)
                    : try verify(
                        child, height: height - 1, pages: UInt32(first)...UInt32(last),
                        pageSize: pageSize, note: note)
                isSound = isChildSound && isSound
            }
        } catch {
            try note(error)
            isSound = false
        }
        known[reference.place] = isSound
        return isSound
    }

    private func isPage(
        _ reference: PageReference, _ page: UInt32, _ pageSize: UInt32,
        _ note: (any Error) throws -> Void
    ) throws -> Bool {
        let wholePack = UInt64(reference.pack) << 32 | 0xffff_ffff
        if damaged.contains(reference.place) || damaged.contains(wholePack) { return false }
        do {
            if try isRow(reference, page: page, length: pageSize) { return true }
            let path = try store.reader(reference.pack).path
            throw BackupError.damaged(
                path, "entry \(reference.slot) is not what a backup says of page \(page)")
        } catch {
            try note(error)
            return false
        }
    }

    private func isRow(_ reference: PageReference, page: UInt32, length: UInt32?) throws -> Bool {
        let reader = try store.reader(reference.pack)
        guard reference.slot < reader.rowCount else { return false }
        let row = try reader.rows(reference.slot..<(reference.slot + 1))[0]
        return row.digest == reference.digest && row.page == page && !row.isDropped
            && (length == nil || row.length == length)
    }
}
