import StrongroomCore

extension OpenRepository {
    /// Refuses where a server denies every removal, before a head says that backups are gone: whoever frees space there
    /// would delete them.
    func requireRemoval() throws {
        do {
            // No file has that name: a server that permits the removal says so.
            try folders.packs.remove(".none")
        } catch let error as SystemError where error.isForbidden || error.isReadOnly {
            throw BackupError(
                .permission, path,
                "the host of \(path) does not let files be removed; nothing was changed",
                hint: "prune, forget and rekey on that host itself, or with another login",
                underlying: error)
        } catch let error as SystemError where error.isMissing {
        }
    }

    /// Frees what none of the kept backups needs, when nobody reads.
    ///
    /// - Parameter wholly: Whether nothing of that stays, so that no damage in it is found again. Otherwise
    ///   a pack is written again only if that frees a good part of it.
    func collect(
        _ kept: [Backup], _ operation: LongOperation, _ report: inout PruningReport,
        wholly: Bool = false
    ) throws {
        let lock = try RepositoryLock.take(
            RepositoryLayout.readerLock, in: folders.root, .alone, operation)
        defer { withExtendedLifetime(lock) {} }
        try operation.begin(.pruning)
        let store = try PackStore(folders.packs)
        var living = LivingEntries(store: store)
        for backup in kept {
            try operation.check()
            guard let root = backup.manifest.rootReference else { continue }
            try living.mark(root, height: TreeNode.height(pageCount: backup.manifest.pageCount))
        }
        let collection = GarbageCollection(
            repository: self, temporary: try folders.temporary(), store: store, living: living,
            operation: operation, wastes: wholly ? 0 : GarbageCollection.usualWaste)
        // Newer ones are those of somebody whom no lock keeps out.
        let end = current.value?.head.nextPack ?? 0
        let numbers = store.names.keys.filter { $0 < end }.sorted()
        // First what frees space, then what needs some: the least first, for a disk that is full.
        for number in numbers where living.isEmpty(number) {
            try collection.removeAll(number, &report)
        }
        let wasteful = try numbers.filter { !living.isEmpty($0) }
            .compactMap { try collection.examine($0, &report) }
        for pack in wasteful.sorted(by: { $0.neededByteCount < $1.neededByteCount }) {
            try collection.shrink(pack, &report)
        }
        try folders.packs.synchronize()
    }
}

/// The entries that trees lead to, a bit for each.
struct LivingEntries {
    let store: PackStore
    private var bits: [UInt32: [UInt64]] = [:]
    /// How many entries a pack has; nil for one that is missing.
    private var rowCounts: [UInt32: UInt32?] = [:]
    /// The living entries of packs that share their number with another one.
    private var ofRivals: [UInt32: [PageReference]] = [:]

    init(store: PackStore) {
        self.store = store
    }

    func contains(_ pack: UInt32, _ slot: Int) -> Bool {
        guard let words = bits[pack], slot / 64 < words.count else { return false }
        return words[slot / 64] >> UInt64(slot % 64) & 1 == 1
    }

    func isEmpty(_ pack: UInt32) -> Bool { bits[pack] == nil }

    /// The pack that has all living entries of a number; nil if none has, so that nothing of it may go.
    func keeper(_ number: UInt32) throws -> PackReader? {
        guard let needed = ofRivals[number] else { return try store.reader(number) }
        let reader = try? store.reader(ofAll: needed, in: number)
        return reader.flatMap { needed.allSatisfy($0.has) ? $0 : nil }
    }

    /// Whether it was new.
    private mutating func insert(_ reference: PageReference) throws -> Bool {
        let slot = Int(reference.slot)
        if contains(reference.pack, slot) { return false }
        if store.hasRivals(reference.pack) {
            ofRivals[reference.pack, default: []].append(reference)
        }
        // A pack that is missing keeps nothing, and one that is there has no other slots.
        guard let rowCount = try rowCount(of: reference), reference.slot < rowCount else {
            return true
        }
        var words = bits.removeValue(forKey: reference.pack) ?? []
        while words.count <= slot / 64 { words.append(0) }
        words[slot / 64] |= 1 << UInt64(slot % 64)
        bits[reference.pack] = words
        return true
    }

    private mutating func rowCount(of reference: PageReference) throws -> UInt32? {
        let pack = reference.pack
        if store.hasRivals(pack) { return try store.reader(of: reference).rowCount }
        if let known = rowCounts[pack] { return known }
        let count = store.names[pack] == nil ? nil : try store.reader(pack).rowCount
        rowCounts.updateValue(count, forKey: pack)
        return count
    }

    mutating func mark(_ node: PageReference, height: Int) throws {
        guard try insert(node) else { return }
        for child in try store.node(node) {
            if height > 1 {
                try mark(child, height: height - 1)
            } else {
                _ = try insert(child)
            }
        }
    }
}

/// Frees packs, wholly or in part.
struct GarbageCollection {
    static let usualWaste = 0.25

    let repository: OpenRepository
    let temporary: RepositoryFolder
    let store: PackStore
    let living: LivingEntries
    let operation: LongOperation
    /// A pack is written again when more than this part of it is of no use.
    let wastes: Double

    func removeAll(_ number: UInt32, _ report: inout PruningReport) throws {
        try operation.check()
        for name in store.names[number] ?? [] { try remove(name, &report) }
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
        try operation.check()
        guard let reader = try living.keeper(number) else {
            for name in store.names[number] ?? [] {
                report.remainingByteCount += try store.folder.byteCount(of: name) ?? 0
            }
            return nil
        }
        // A smaller one, of a run that was killed between writing it and removing this one; or a stranger.
        for name in store.names[number] ?? [] where name != reader.name {
            try remove(name, &report)
        }
        let size = try store.folder.byteCount(of: reader.name) ?? 0
        let rows = try reader.allRows()
        let waste = rows.enumerated().reduce(Int64(0)) { waste, row in
            living.contains(number, row.offset) ? waste : waste + Int64(row.element.length)
        }
        guard waste > 0, Double(waste) >= Double(size) * wastes else {
            report.remainingByteCount += size
            return nil
        }
        return WastefulPack(number: number, byteCount: size, neededByteCount: size - waste)
    }

    func shrink(_ pack: WastefulPack, _ report: inout PruningReport) throws {
        try operation.check()
        guard let reader = try living.keeper(pack.number) else { return }
        let smaller: String?
        do {
            smaller = try rewrite(reader)
        } catch let error as SystemError where error.isDiskFull {
            smaller = nil
            if report.missingByteCount == 0 { report.missingByteCount = pack.neededByteCount }
        }
        guard let smaller else {
            report.remainingByteCount += pack.byteCount
            return
        }
        let newSize = try store.folder.byteCount(of: smaller) ?? 0
        report.remainingByteCount += newSize
        report.freedByteCount -= newSize
        // A file that is open goes on taking its room.
        store.close(pack.number)
        try remove(reader.name, &report)
    }

    private func remove(_ name: String, _ report: inout PruningReport) throws {
        let size = try store.folder.byteCount(of: name) ?? 0
        try store.folder.remove(name)
        report.freedByteCount += size
    }

    /// Writes a pack again without what nobody needs; nil if something in it is damaged: then it
    /// is left as it is.
    private func rewrite(_ reader: PackReader) throws -> String? {
        guard let digest = PackFormat.parse(reader.name)?.digest,
            let rows = try? reader.verifiedRows(digest)
        else { return nil }
        let fileSystem = repository.fileSystem
        let name = RepositoryLayout.temporaryName(ofPack: reader.number)
        let descriptor = try temporary.create(name)
        defer { fileSystem.close(descriptor) }
        do {
            guard let digest = try copy(reader, rows, to: descriptor) else {
                try temporary.remove(name)
                return nil
            }
            try fileSystem.synchronize(descriptor)
            let packName = PackFormat.name(reader.number, digest)
            try temporary.rename(name, to: store.folder, as: packName)
            // Durable before the other goes.
            try store.folder.synchronize()
            return packName
        } catch {
            try? temporary.remove(name)
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
