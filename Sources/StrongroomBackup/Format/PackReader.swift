import Strongroom

/// One pack, open for reading.
final class PackReader: Sendable {
    let path: String
    let number: UInt32
    let rowCount: UInt32
    private let tableOffset: Int64
    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem

    /// Checks no more than where the table is; ``verifiedRows()`` checks the table.
    init(_ path: String, number: UInt32, _ fileSystem: FileSystem) throws {
        self.path = path
        self.number = number
        self.fileSystem = fileSystem
        let descriptor = try fileSystem.openForReading(path)
        do {
            let size = try fileSystem.descriptorStatus(descriptor).byteCount
            let start = size - Int64(PackFormat.footerByteCount)
            let footer = try Self.read(
                fileSystem, descriptor, PackFormat.footerByteCount, at: max(0, start))
            let (written, count, offset) = footer.withUnsafeBytes {
                ($0.littleEndian32(at: 0), $0.littleEndian32(at: 4), $0.littleEndian64(at: 8))
            }
            guard start > 0, Array(footer[16...]) == PackFormat.endMagic, written == number,
                UInt64(start) == offset &+ UInt64(count) * UInt64(PackFormat.rowByteCount)
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

    /// What the table says of some slots.
    func rows(_ slots: Range<UInt32>) throws -> [PackRow] {
        guard slots.upperBound <= rowCount else {
            throw BackupError.damaged(path, "it has no entry \(slots.upperBound - 1)")
        }
        let size = PackFormat.rowByteCount
        let offset = tableOffset + Int64(slots.lowerBound) * Int64(size)
        do {
            let bytes = try Self.read(fileSystem, descriptor, slots.count * size, at: offset)
            return bytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: size).compactMap {
                    PackRow(UnsafeRawBufferPointer(rebasing: bytes[$0..<($0 + size)]))
                }
            }
        } catch is ShortRead {
            throw BackupError.damaged(path, "it is too short")
        }
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
        let rows = try rows(0..<rowCount)
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
