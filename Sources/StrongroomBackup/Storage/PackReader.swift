import StrongroomCore

/// One pack, open for reading.
final class PackReader: Sendable {
    let name: String
    let path: String
    let number: UInt32
    let rowCount: UInt32
    private let tableOffset: Int64
    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem

    /// Checks no more than where the table is; ``verifiedRows()`` checks the table.
    init(_ name: String, in folder: RepositoryFolder, number: UInt32) throws {
        self.name = name
        path = folder.path(of: name)
        self.number = number
        fileSystem = folder.fileSystem
        let descriptor = try folder.openForReading(name)
        do {
            let size = try fileSystem.descriptorStatus(descriptor).byteCount
            let start = size - Int64(PackFormat.footerByteCount)
            let footer = try Self.read(
                fileSystem, descriptor, PackFormat.footerByteCount, at: max(0, start))
            let (written, count, offset) = footer.withUnsafeBytes {
                ($0.littleEndian32(at: 0), $0.littleEndian32(at: 4), $0.littleEndian64(at: 8))
            }
            guard start > 0, Array(footer[16...]) == PackFormat.endMagic, written == number,
                offset >= PackFormat.magic.count, offset <= UInt64(start),
                count <= PackFormat.largestRowCount,
                UInt64(start) - offset == UInt64(count) * UInt64(PackFormat.rowByteCount)
            else { throw BackupError.damaged(path, "it does not end as a pack does") }
            rowCount = count
            tableOffset = Int64(offset)
        } catch {
            fileSystem.close(descriptor)
            throw error is ShortRead ? BackupError.damaged(path, "it is too short") : error
        }
        self.descriptor = descriptor
    }

    deinit {
        fileSystem.close(descriptor)
    }

    private struct ShortRead: Error {}

    private static func read(
        _ fileSystem: FileSystem, _ descriptor: FileSystem.Descriptor, _ count: Int,
        at offset: Int64
    ) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = try fileSystem.readAll(
                descriptor, UnsafeMutableRawBufferPointer(buffer), at: offset)
            guard used == count else { throw ShortRead() }
        }
    }

    /// What the table says of some slots, each of which lies inside of the pack.
    func rows(from slot: UInt32, count: Int) throws -> [PackRow] {
        guard UInt64(slot) + UInt64(count) <= UInt64(rowCount) else {
            throw BackupError.damaged(path, "it has no entry \(UInt64(slot) + UInt64(count) - 1)")
        }
        let size = PackFormat.rowByteCount
        let offset = tableOffset + Int64(slot) * Int64(size)
        let rows: [PackRow]
        do {
            let bytes = try Self.read(fileSystem, descriptor, count * size, at: offset)
            rows = bytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: size).compactMap {
                    PackRow(UnsafeRawBufferPointer(rebasing: bytes[$0..<($0 + size)]))
                }
            }
        } catch is ShortRead {
            throw BackupError.damaged(path, "it is too short")
        }
        for (index, row) in rows.enumerated() where !row.isDropped {
            guard row.length <= PackFormat.largestEntryByteCount,
                row.offset <= UInt64(tableOffset),
                UInt64(row.length) <= UInt64(tableOffset) - row.offset
            else {
                throw BackupError.damaged(path, "entry \(Int(slot) + index) lies outside of it")
            }
        }
        return rows
    }

    func allRows() throws -> [PackRow] { try rows(from: 0, count: Int(rowCount)) }

    func row(_ slot: UInt32) throws -> PackRow {
        guard let row = try rows(from: slot, count: 1).first else {
            throw BackupError.damaged(path, "it has no entry \(slot)")
        }
        return row
    }

    /// Whether an entry is what a reference says, as far as the table tells.
    func has(_ reference: PageReference) -> Bool {
        guard let row = try? row(reference.slot) else { return false }
        return row.digest == reference.digest && !row.isDropped
    }

    /// How many bytes of entries there are from one on.
    func byteCount(from offset: UInt64) -> UInt64 {
        offset < UInt64(tableOffset) ? UInt64(tableOffset) - offset : 0
    }

    /// Reads bytes of entries; the caller verifies them.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws {
        guard offset <= UInt64(tableOffset),
            UInt64(buffer.count) <= UInt64(tableOffset) - offset,
            try fileSystem.readAll(descriptor, buffer, at: Int64(offset)) == buffer.count
        else { throw BackupError.damaged(path, "an entry lies outside of it") }
    }

    /// The table, after its hash was found to be the one in the file's name, and its beginning and
    /// the places of the entries to be as they should.
    func verifiedRows(_ digest: ContentDigest) throws -> [PackRow] {
        let rows = try allRows()
        let table = PackTable.encode(rows, number: number, offset: UInt64(tableOffset))
        guard try table.withUnsafeBytes({ try ContentDigest(of: $0) }) == digest else {
            throw BackupError.damaged(path, "its table is not the one that its name says")
        }
        let magic = try Self.read(fileSystem, descriptor, PackFormat.magic.count, at: 0)
        guard magic == PackFormat.magic else {
            throw BackupError.damaged(path, "it does not begin as a pack does")
        }
        var end = UInt64(PackFormat.magic.count)
        for row in rows where !row.isDropped {
            guard row.offset == end else {
                throw BackupError.damaged(path, "entries do not follow each other")
            }
            end += UInt64(row.length)
        }
        guard end == UInt64(tableOffset) else {
            throw BackupError.damaged(path, "there is more in it than its entries")
        }
        return rows
    }
}
