internal import Foundation

/// What the bytes of a file look like to somebody without a key.
struct FileLook {
    /// Whether it begins as a plain database does, or as one with a plaintext header.
    let hasMagic: Bool
    /// Whether all that the header of a plain database says is plausible.
    let isPlainDatabase: Bool
    let plainPageSize: Int?
    /// Whether its bytes look like random numbers, as encrypted ones do.
    let isRandom: Bool
    /// The first 16 bytes.
    let salt: CipherSalt?
    /// Whether the first 16 bytes are one and the same.
    let isSaltSuspicious: Bool

    init(byteCount: Int64, read: PageSource.Read) throws {
        let start = try Self.bytes(512, at: 0, read)
        hasMagic = start.starts(with: PageCodec.magic)
        salt = CipherSalt(start.prefix(CipherSalt.byteCount))
        isSaltSuspicious = Set(start.prefix(CipherSalt.byteCount)).count == 1
        let header = start.withUnsafeBytes { DatabaseHeader($0) }
        plainPageSize = hasMagic ? header?.pageSize : nil
        isPlainDatabase = hasMagic && header != nil && Self.isPlain(start)
        // A part of a file may have been overwritten: one block that looks random is enough.
        isRandom = try stride(from: 0, to: byteCount, by: max(4096, Int(byteCount / 8)))
            .contains { try Self.isRandom(Self.bytes(4096, at: Int64($0), read)) }
    }

    private static func bytes(
        _ count: Int, at offset: Int64, _ read: PageSource.Read
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let count = try bytes.withUnsafeMutableBytes { try read($0, offset) }
        return Array(bytes[..<count])
    }

    /// What follows the numbers of the header: encodings, zeros, and a page of a table.
    /// <https://www.sqlite.org/fileformat2.html#the_database_header>
    private static func isPlain(_ start: [UInt8]) -> Bool {
        start.count == 512 && start[72..<92].allSatisfy { $0 == 0 }
            && (start[100] == 13 || start[100] == 5)
    }

    private static func isRandom(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 256 else { return false }
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        let entropy = counts.filter { $0 > 0 }
            .map { Double($0) / total }
            .reduce(0) { $0 - $1 * log2($1) }
        // Of random bytes, 7.2 bits each are to be expected for 256, 7.6 for 512, 7.95 for 4096.
        return entropy > (bytes.count < 512 ? 6.9 : bytes.count < 1024 ? 7.2 : 7.5)
    }
}
