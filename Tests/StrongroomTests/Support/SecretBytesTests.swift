import Foundation
import Testing

@testable import StrongroomCore

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test("hold what was appended, also after they had to grow")
    func grow() {
        var secret = SecretBytes()
        let expected = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        expected.withUnsafeBytes { secret.append($0) }
        secret.append(7)
        #expect(secret.count == 20_001)
        #expect(secret.withUnsafeBytes { Array($0) } == expected + [7])
    }

    @Test("drop bytes at the end, and overwrite them")
    func truncate() {
        var secret = SecretBytes(copying: "abcdef".bytes)
        secret.truncate(to: 2)
        secret.truncate(to: 5)
        #expect(secret.withUnsafeBytes { Array($0) } == Array("ab".utf8))
        let beyond = secret.withUnsafeBytes {
            UnsafeRawBufferPointer(start: $0.baseAddress, count: 6)
        }
        #expect(Array(beyond) == Array("ab\0\0\0\0".utf8))
    }

    @Test("are equal by content and by length")
    func equality() {
        #expect(areEqual("abc", "abc"))
        #expect(!areEqual("abc", "abd"))
        #expect(!areEqual("abc", "ab"))
    }

    private func areEqual(_ one: String, _ other: String) -> Bool {
        SecretBytes(copying: one.bytes).isEqual(to: SecretBytes(copying: other.bytes))
    }

    @Test("are overwritten in place")
    func wipe() {
        var memory: [UInt8] = [1, 2, 3]
        memory.withUnsafeMutableBytes { SecretBytes.wipe($0) }
        #expect(memory == [0, 0, 0])
    }

    #if os(Linux)
    @Test("are left out of core dumps, and locked where the system permits")
    func mapping() throws {
        let secret = SecretBytes(copying: "abc".bytes)
        let address = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let flags = try #require(try mappingFlags(of: address))
        #expect(flags.contains("dd"))
        if try lockableByteCount() >= 1 << 20 { #expect(flags.contains("lo")) }
        _ = secret.count
    }

    private func lockableByteCount() throws -> Int {
        let limits = try String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max locked memory") }
        let soft = line?.split(separator: " ").dropFirst(3).first
        return soft == "unlimited" ? .max : soft.flatMap { Int($0) } ?? 0
    }

    private func mappingFlags(of address: UInt) throws -> [Substring]? {
        // `String(contentsOfFile:)` reads only the first page of such a file.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var isInside = false
        for line in maps.split(separator: "\n") {
            let bounds = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
            if bounds.count == 2, let low = bounds[0], let high = bounds[1] {
                isInside = low <= address && address < high
            } else if isInside, line.hasPrefix("VmFlags:") {
                return line.split(separator: " ")
            }
        }
        return nil
    }
    #endif

    @Test("come from the system's source of randomness, never twice the same")
    func random() throws {
        let first = try #require(randomArray(count: 32))
        let second = try #require(randomArray(count: 32))
        #expect(first.count == 32)
        #expect(first != second)
        #expect(randomArray(count: 257) == nil)
    }

    private func randomArray(count: Int) -> [UInt8]? {
        switch SecretBytes.random(count: count) {
        case .some(let bytes): bytes.withUnsafeBytes { Array($0) }
        case .none: nil
        }
    }
}

extension String {
    /// The UTF-8 bytes of a literal in a test.
    fileprivate var bytes: UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: utf8.count, alignment: 1)
        copy.copyBytes(from: utf8)
        return UnsafeRawBufferPointer(copy)
    }
}
