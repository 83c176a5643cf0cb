internal import Foundation
import Strongroom

extension BackupRepository {
    /// Forgets backups that a policy does not keep, and frees the room that only they needed.
    ///
    /// What is kept does not depend on what goes: pages that a kept backup needs stay where they
    /// are. The manifests stay too, so that the chain of hashes does not break.
    ///
    /// - Parameter dryRun: Tells what would go, and changes nothing.
    /// - Throws: ``BackupError``, or what `progress` throws. What is kept is whole at every instant;
    ///   what a run that ended early has left is freed by the next.
    @discardableResult
    public func prune(
        keeping policy: RetentionPolicy, dryRun: Bool = false,
        progress: BackupProgress.Handler? = nil
    ) throws -> PruningReport {
        guard !policy.keepsNothing else {
            throw BackupError(
                .failed, path, "the policy keeps no backup at all",
                hint: "keep at least the last one")
        }
        return try Work.run(progress) { work in
            try explaining {
                if dryRun { return plan(try kept(readHead()), policy) }
                return try withWriterLock(work) { head in
                    var report = plan(try kept(head), policy)
                    var next = head
                    next.prunedSet.formUnion(report.removed.map(\.manifest.sequence))
                    if next != head { try writeHead(next) }
                    head = next
                    try collect(report.kept, work, &report)
                    return report
                }
            }
        }
    }

    private func plan(_ backups: [Backup], _ policy: RetentionPolicy) -> PruningReport {
        var report = PruningReport()
        report.kept = policy.kept(backups)
        let numbers = Set(report.kept.map(\.number))
        report.removed = backups.filter { !numbers.contains($0.number) }
        return report
    }

    /// Frees what none of the kept backups needs, when nobody reads.
    func collect(_ kept: [Backup], _ work: Work, _ report: inout PruningReport) throws {
        let lock = try RepositoryLock.take(layout.readerLock, .alone, work)
        defer { withExtendedLifetime(lock) {} }
        try work.begin(.pruning)
        let store = try PackStore(layout, fileSystem)
        var living = LivingEntries(store: store)
        for backup in kept {
            try work.check()
            guard let root = backup.manifest.rootReference else { continue }
            try living.mark(root, height: TreeNode.height(pageCount: backup.manifest.pageCount))
        }
        let collection = Collection(
            repository: self, store: store, living: living, work: work)
        let numbers = store.names.keys.sorted()
        // First what makes room, then what needs some: the least first, for a disk that is full.
        for number in numbers where living.isEmpty(number) {
            try collection.removeAll(number, &report)
        }
        let wasteful = try numbers.filter { !living.isEmpty($0) }
            .compactMap { try collection.examine($0, &report) }
        for pack in wasteful.sorted(by: { $0.neededByteCount < $1.neededByteCount }) {
            try collection.shrink(pack, &report)
        }
        try fileSystem.synchronizeDirectory(layout.packs)
    }
}

/// The entries that trees lead to, a bit for each.
struct LivingEntries {
    let store: PackStore
    private var bits: [UInt32: [UInt64]] = [:]

    init(store: PackStore) {
        self.store = store
    }

    func contains(_ pack: UInt32, _ slot: Int) -> Bool {
        guard let words = bits[pack], slot / 64 < words.count else { return false }
        return words[slot / 64] >> UInt64(slot % 64) & 1 == 1
    }

    func isEmpty(_ pack: UInt32) -> Bool { bits[pack] == nil }

    /// Whether it was new.
    private mutating func insert(_ reference: PageReference) -> Bool {
        let slot = Int(reference.slot)
        if contains(reference.pack, slot) { return false }
        var words = bits.removeValue(forKey: reference.pack) ?? []
        while words.count <= slot / 64 { words.append(0) }
        words[slot / 64] |= 1 << UInt64(slot % 64)
        bits[reference.pack] = words
        return true
    }

    mutating func mark(_ node: PageReference, height: Int) throws {
        guard insert(node) else { return }
        for child in try store.node(node) {
            if height > 1 {
                try mark(child, height: height - 1)
            } else {
                _ = insert(child)
            }
        }
    }
}

/// Frees packs, wholly or in part.
private struct Collection {
    /// A pack is written again when at least this part of it is of no use: a quarter.
    private static let wasteDivisor: Int64 = 4

    let repository: BackupRepository
    let store: PackStore
    let living: LivingEntries
    let work: Work

    func removeAll(_ number: UInt32, _ report: inout PruningReport) throws {
        try work.check()
        for path in paths(number) { try remove(path, &report) }
    }

    private func paths(_ number: UInt32) -> [String] {
        (store.names[number] ?? []).map(store.layout.packs.appendingName)
    }

    /// A pack that is to be written again.
    struct WastefulPack {
        let number: UInt32
        let byteCount: Int64
        /// The room that it takes to write it again.
        let neededByteCount: Int64
    }

    /// Nil for a pack that stays as it is.
    func examine(_ number: UInt32, _ report: inout PruningReport) throws -> WastefulPack? {
        try work.check()
        let reader = try store.reader(number)
        // A smaller one, of a run that was killed between writing it and removing this one.
        for path in paths(number) where path != reader.path { try remove(path, &report) }
        let size = try repository.fileSystem.status(reader.path).byteCount
        let rows = try reader.rows(0..<reader.rowCount)
        let waste = rows.enumerated().reduce(Int64(0)) { waste, row in
            living.contains(number, row.offset) ? waste : waste + Int64(row.element.length)
        }
        guard waste * Self.wasteDivisor >= size else {
            report.remainingByteCount += size
            return nil
        }
        return WastefulPack(number: number, byteCount: size, neededByteCount: size - waste)
    }

    func shrink(_ pack: WastefulPack, _ report: inout PruningReport) throws {
        try work.check()
        let reader = try store.reader(pack.number)
        let rows = try reader.rows(0..<reader.rowCount)
        let smaller: String?
        do {
            smaller = try rewrite(reader, rows)
        } catch let error as SystemError where error.isDiskFull {
            smaller = nil
            if report.missingByteCount == 0 { report.missingByteCount = pack.neededByteCount }
        }
        guard let smaller else {
            report.remainingByteCount += pack.byteCount
            return
        }
        let newSize = try repository.fileSystem.status(smaller).byteCount
        report.remainingByteCount += newSize
        report.freedByteCount -= newSize
        // A file that is open goes on taking its room.
        store.close(pack.number)
        try remove(reader.path, &report)
    }

    private func remove(_ path: String, _ report: inout PruningReport) throws {
        let size = try repository.fileSystem.status(path).byteCount
        try repository.fileSystem.remove(path)
        report.freedByteCount += size
    }

    /// Writes a pack again without what nobody needs; nil if something in it is damaged: then it
    /// is left as it is.
    private func rewrite(_ reader: PackReader, _ rows: [PackRow]) throws -> String? {
        let fileSystem = repository.fileSystem
        let temporary = store.layout.temporary.appendingName("pack-\(reader.number)")
        let descriptor = try fileSystem.create(temporary)
        defer { fileSystem.close(descriptor) }
        do {
            guard let digest = try copy(reader, rows, to: descriptor) else {
                try fileSystem.remove(temporary)
                return nil
            }
            try fileSystem.synchronize(descriptor)
            let path = store.layout.packs.appendingName(PackFormat.name(reader.number, digest))
            try fileSystem.rename(temporary, path)
            // Durable before the other goes.
            try fileSystem.synchronizeDirectory(store.layout.packs)
            return path
        } catch {
            try? fileSystem.remove(temporary)
            throw error
        }
    }

    private func copy(
        _ reader: PackReader, _ rows: [PackRow], to descriptor: FileSystem.Descriptor
    ) throws -> ContentDigest? {
        let fileSystem = repository.fileSystem
        try PackFormat.magic.withUnsafeBytes {
            try fileSystem.writeAll($0, to: descriptor, at: 0)
        }
        var hasher = try ContentHasher()
        var offset = UInt64(PackFormat.magic.count)
        var newRows: [PackRow] = []
        for (slot, row) in rows.enumerated() {
            guard living.contains(reader.number, slot), row.length > 0 else {
                newRows.append(PackRow(digest: row.digest, offset: 0, length: 0, page: row.page))
                continue
            }
            var bytes = [UInt8](repeating: 0, count: Int(row.length))
            try bytes.withUnsafeMutableBytes { try reader.read($0, at: row.offset) }
            let digest = try bytes.withUnsafeBytes { bytes in
                try fileSystem.writeAll(bytes, to: descriptor, at: Int64(offset))
                return try hasher.digest(of: bytes)
            }
            guard digest == row.digest else { return nil }
            newRows.append(
                PackRow(digest: digest, offset: offset, length: row.length, page: row.page))
            offset += UInt64(row.length)
        }
        let tail = PackTable.encode(newRows, number: reader.number, offset: offset)
        return try tail.withUnsafeBytes { tail in
            try fileSystem.writeAll(tail, to: descriptor, at: Int64(offset))
            return try ContentDigest(of: tail)
        }
    }
}
