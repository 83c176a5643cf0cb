import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Key files of any bytes, most of them nearly what one holds.
@Suite struct KeyFileFuzzTests {
    @Test func `A key file is read by its rules, and is read back as it was written`() throws {
        let folder = try TemporaryDirectory()
        let copy = folder.path(of: "copy.key")
        var keyCount = 0
        _ = try Fuzzing().run("key file") { generator in
            let bytes = Self.content(&generator)
            let path = try folder.write(Data(bytes), to: "a.key")
            let key: CipherKey
            do {
                key = try CipherKey(contentsOfFile: path)
            } catch let error as CipherKeyError {
                return try Fuzzing.expect(
                    Expected.error(error.code) == Self.expected(bytes), "\(error): \(bytes)")
            }
            keyCount += 1
            try Fuzzing.expect(.key(key.form) == Self.expected(bytes), "\(key): \(bytes)")
            let key2: CipherKey
            do {
                try key.write(toNewFile: copy)
                key2 = try CipherKey(contentsOfFile: copy)
            } catch let error as CipherKeyError {
                // With the newline that is added, it would be another key, or none.
                let isRefused = Self.expected(Self.line(bytes) + [10]) == .error(.cannotRead)
                try Fuzzing.expect(
                    error.code == .cannotWrite && (isRefused || Self.line(bytes).last == 13),
                    "\(error): \(bytes)")
                return try Fuzzing.expect(try folder.names() == ["a.key"], "it left something")
            }
            try FileManager.default.removeItem(atPath: copy)
            try Fuzzing.expect(key2.form == key.form, "\(key2) from \(key)")
        }
        #expect(keyCount > 20)
    }

    private enum Expected: Equatable {
        case key(CipherKey.Form)
        case error(CipherKeyError.Code)
    }

    /// What the documentation of `CipherKey(parsing:)` says of such a file.
    private static func expected(_ bytes: [UInt8]) -> Expected {
        guard bytes.count <= 4096 else { return .error(.cannotRead) }
        let line = line(bytes)
        let text = line.drop { Array(" \t\r\n\"\u{feff}".utf8).contains($0) }
        if text.starts(with: "x'".utf8) || text.starts(with: "X'".utf8) {
            let digits = line.dropFirst(2).dropLast()
            guard text.count == line.count, line.count > 2, line.last == UInt8(ascii: "'"),
                digits.allSatisfy({ Array("0123456789abcdefABCDEF".utf8).contains($0) })
            else { return .error(.malformedRawKey) }
            return digits.count == 64
                ? .key(.rawKey) : digits.count == 96 ? .key(.rawKeyAndSalt) : .error(.wrongLength)
        }
        return line.isEmpty
            ? .error(.empty) : line.contains(0) ? .error(.containsNUL) : .key(.passphrase)
    }

    private static func line(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.last == 10 else { return bytes }
        return bytes.dropLast(bytes.dropLast().last == 13 ? 2 : 1)
    }

    private static func content(_ generator: inout SeededGenerator) -> [UInt8] {
        let digitCount = generator.pick([0, 1, 63, 64, 64, 65, 95, 96, 96, 97, 128, 160])
        let digits = (0..<digitCount).map { _ in generator.pick(Array("0123456789abcdefAF".utf8)) }
        let ends = ["", "\n", "\r\n", "\r", "\n\n", " ", "\0"].map { Array($0.utf8) }
        var bytes: [UInt8]
        switch Int.random(in: 0...5, using: &generator) {
        case 0: bytes = generator.bytes(upTo: 100)
        case 1:
            // At the limit of a file.
            bytes = [UInt8](repeating: 97, count: generator.pick([4094, 4095, 4096, 4097, 9999]))
        default:
            let starts = ["x'", "X'", "x'", " x'", "\u{feff}x'", "x\"", "'", "\tX'"]
            bytes = Array(generator.pick(starts).utf8) + digits
            bytes += Array(generator.pick(["'", "'", "'", "", "\"", "''"]).utf8)
        }
        if Int.random(in: 0...3, using: &generator) == 0 { bytes = generator.mutated(bytes) }
        return bytes + generator.pick(ends)
    }
}
