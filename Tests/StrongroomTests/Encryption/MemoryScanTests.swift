import Foundation
import StrongroomTestSupport
import Testing

@testable import Strongroom

/// A look through all memory of a process that has used keys.
@Suite struct MemoryScanTests {
    @Test(
        .proves("ENC-028"),
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs Linux's /proc"))
    func `After its use, no key is left in memory, neither as text nor as bytes`() async throws {
        let directory = try TemporaryDirectory()
        await scan(directory.path(of: "app.db"))
    }

    private func scan(_ path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            let passphrase = MaskedBytes(count: 32, in: 97...122)
            let newPassphrase = MaskedBytes(count: 32, in: 97...122)
            var derived: [MaskedBytes] = []
            try MemoryScanTests.use(path, passphrase, newPassphrase, &derived)
            for secret in [passphrase, newPassphrase] + derived {
                precondition(MemoryScan.count(of: secret) == 0, "A key is left")
            }
        }
    }

    /// Creates, writes, diagnoses, salvages and rotates under the one key, then opens with the other.
    private static func use(
        _ path: String, _ passphrase: MaskedBytes, _ newPassphrase: MaskedBytes,
        _ derived: inout [MaskedBytes]
    ) throws {
        let key = try passphrase.withClearBytes { try CipherKey(parsing: $0) }
        let newKey = try newPassphrase.withClearBytes { try CipherKey(parsing: $0) }
        // The scan finds what is there.
        precondition(MemoryScan.count(of: passphrase) > 0, "The scan is blind")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try queue.close()
        derived.append(try rawKey(path, key))
        let file = DatabaseFile(path: path, key: key)
        let verdict = try file.diagnose().verdict
        precondition(verdict == .sound)
        try file.salvage(to: DatabaseFile(path: path + ".saved", key: newKey))
        try file.rotateKey(to: newKey)
        derived.append(try rawKey(path, newKey))
        let rotated = try DatabaseFile(path: path, key: newKey).open()
        let value = try rotated.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
        precondition(value == 1)
        try rotated.close()
    }

    /// What SQLCipher derives from the passphrase.
    private static func rawKey(_ path: String, _ key: CipherKey) throws -> MaskedBytes {
        let settings = CipherSettings.version(.v4)
        let salt = try PageSource(path: path, pageSize: settings.pageSize).salt()
        let parameters = KeyDerivation.Parameters(
            salt: try #require(salt).bytes, iterations: settings.kdfIterations,
            algorithm: settings.kdfAlgorithm.kdfName)
        let raw = key.withSQLCipherBytes { KeyDerivation.key(from: $0, parameters) }
        guard let raw else { throw CancellationError() }
        return raw.withUnsafeBytes { MaskedBytes($0) }
    }
}

/// Bytes that nobody finds in memory who looks for them.
struct MaskedBytes: Sendable {
    private static let mask: UInt8 = 0xa5
    let masked: [UInt8]

    init(count: Int, in range: ClosedRange<UInt8>) {
        masked = (0..<count).map { _ in UInt8.random(in: range) ^ Self.mask }
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        masked = bytes.map { $0 ^ Self.mask }
    }

    func withClearBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: masked.count, alignment: 1)
        for (index, byte) in masked.enumerated() { bytes[index] = byte ^ Self.mask }
        defer {
            SecretBytes.wipe(bytes)
            bytes.deallocate()
        }
        return try body(UnsafeRawBufferPointer(bytes))
    }

    /// How often the bytes are in others.
    func count(in bytes: UnsafeRawBufferPointer) -> Int {
        guard var next = bytes.baseAddress, let first = masked.first else { return 0 }
        let end = next + bytes.count
        var count = 0
        while let found = memchr(next, Int32(first ^ Self.mask), end - next) {
            let start = UnsafeRawPointer(found)
            next = start + 1
            guard end - start >= masked.count else { break }
            let isEqual = masked.indices.allSatisfy { index in
                start.load(fromByteOffset: index, as: UInt8.self) == masked[index] ^ Self.mask
            }
            if isEqual { count += 1 }
        }
        return count
    }
}

enum MemoryScan {
    private static let chunkByteCount = 1 << 20

    /// How often bytes are in the writable memory of this process.
    static func count(of secret: MaskedBytes) -> Int {
        // `String(contentsOfFile:)` reads only the first page of such a file.
        let file = FileHandle(forReadingAtPath: "/proc/self/maps")
        let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        let chunk = UnsafeMutableRawBufferPointer.allocate(
            byteCount: chunkByteCount, alignment: 4096)
        defer {
            close(memory)
            SecretBytes.wipe(chunk)
            chunk.deallocate()
        }
        return maps.split(separator: "\n").reduce(0) { count, line in
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard words[1].hasPrefix("rw"), ends.count == 2 else { return count }
            return count + self.count(of: secret, from: ends[0], to: ends[1], memory, chunk)
        }
    }

    private static func count(
        of secret: MaskedBytes, from start: UInt64, to end: UInt64, _ memory: Int32,
        _ chunk: UnsafeMutableRawBufferPointer
    ) -> Int {
        var count = 0
        var offset = start
        while offset < end {
            let wanted = min(chunk.count, Int(end - offset))
            let read = pread(memory, chunk.baseAddress, wanted, off_t(offset))
            guard read > 0 else { break }
            count += secret.count(in: UnsafeRawBufferPointer(rebasing: chunk[..<read]))
            // What lies across the border of two chunks is in the next.
            offset += UInt64(read == wanted && offset + UInt64(read) < end ? read - 64 : read)
        }
        return count
    }
}
