import StrongroomCore

/// Entries of a pack, as many as are verified side by side.
final class PackEntries {
    struct Entry {
        let row: PackRow
        let slot: Int
        let bytes: UnsafeRawBufferPointer
    }

    private static let largestByteCount = 1 << 17

    let reader: PackReader
    private(set) var all: [Entry] = []
    private let memory: UnsafeMutableRawBufferPointer
    private var usedByteCount = 0
    private let readsAhead: Bool
    /// What was read last: the place in the pack, and that in memory.
    private var window = (offset: UInt64(0), place: 0, byteCount: 0)

    /// - Parameter readsAhead: Whether one entry after the other is read: then many are at once.
    init(_ reader: PackReader, readsAhead: Bool = true) {
        self.reader = reader
        self.readsAhead = readsAhead
        memory = .allocate(byteCount: 4 * Self.largestByteCount, alignment: 4096)
    }

    deinit {
        memory.deallocate()
    }

    /// Reads an entry; false if there is no room for it before the others are removed.
    ///
    /// - Throws: ``BackupError`` for an entry that is too long for any.
    func read(_ row: PackRow, _ slot: Int) throws -> Bool {
        guard row.length <= UInt32(Self.largestByteCount) else {
            throw BackupError.damaged(reader.path, "entry \(slot) is too long")
        }
        guard let place = try place(of: row) else { return false }
        let bytes = memory[place..<(place + Int(row.length))]
        all.append(Entry(row: row, slot: slot, bytes: UnsafeRawBufferPointer(rebasing: bytes)))
        return true
    }

    /// Where an entry is in memory; nil if there is no room for it.
    private func place(of row: PackRow) throws -> Int? {
        let byteCount = Int(row.length)
        if row.offset >= window.offset,
            row.offset + UInt64(byteCount) <= window.offset + UInt64(window.byteCount)
        {
            return window.place + Int(row.offset - window.offset)
        }
        let room = memory.count - usedByteCount
        guard byteCount <= room else { return nil }
        let ahead = readsAhead ? Int(clamping: reader.byteCount(from: row.offset)) : byteCount
        let place = usedByteCount
        let end = place + max(byteCount, min(room, ahead, 2 * Self.largestByteCount))
        try reader.read(
            UnsafeMutableRawBufferPointer(rebasing: memory[place..<end]), at: row.offset)
        usedByteCount = end
        window = (row.offset, place, end - place)
        return place
    }

    /// An entry that is a page.
    func page(_ index: Int) -> NumberedPage {
        let entry = all[index]
        return NumberedPage(
            UnsafeMutableRawBufferPointer(mutating: entry.bytes), number: entry.row.page)
    }

    /// The slots of entries that do not have the hash that the table says.
    func damagedSlots(
        of rows: [PackRow], where isIncluded: (_ slot: Int) -> Bool = { _ in true }
    ) throws -> Set<Int> {
        var damaged: Set<Int> = []
        func verify() throws {
            let digests = try ContentDigest.digests(of: all.map(\.bytes))
            for (entry, digest) in zip(all, digests) where digest != entry.row.digest {
                damaged.insert(entry.slot)
            }
            removeAll()
        }
        for (slot, row) in rows.enumerated() where !row.isDropped && isIncluded(slot) {
            if try !read(row, slot) {
                try verify()
                _ = try read(row, slot)
            }
        }
        try verify()
        return damaged
    }

    func removeAll() {
        all.removeAll(keepingCapacity: true)
        usedByteCount = 0
        window.byteCount = 0
    }
}
