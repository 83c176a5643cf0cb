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

    init(_ reader: PackReader) {
        self.reader = reader
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
        let end = usedByteCount + Int(row.length)
        guard end <= memory.count else { return false }
        let target = UnsafeMutableRawBufferPointer(rebasing: memory[usedByteCount..<end])
        try reader.read(target, at: row.offset)
        usedByteCount = end
        all.append(Entry(row: row, slot: slot, bytes: UnsafeRawBufferPointer(target)))
        return true
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
    }
}
