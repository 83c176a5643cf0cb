import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("The codec of a page")
struct PageCodecTests {
    private static func settings() throws -> [CipherSettings] {
        try [
            .version(.v4), .version(.v3), .version(.v1),
            CipherSettings(pageSize: 512, authentication: .absent),
            CipherSettings(pageSize: 1024, authentication: .hmac(.sha256)),
            CipherSettings(pageSize: 65536, plaintextHeaderByteCount: 32),
        ]
    }

    private static func codec(_ settings: CipherSettings, key: UInt8 = 1) throws -> PageCodec {
        let text = "x'" + String(repeating: "0\(key)", count: 32) + "'"
        return try PageCodec(
            PageKey(
                EncryptedSample.key(text), fileSalt: CipherSalt(0..<16), settings: settings))
    }

    private static func page(
        _ settings: CipherSettings, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        (0..<settings.pageSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The last pages are one below, at and above those numbers at which something changes.
    private static let numbers: [UInt32] = [1, 2, 255, 256, 65536, 0x0102_0304, 0xffff_fffe]

    @Test func `A page comes back as it was, and no two encryptions are the same`() throws {
        var generator = SeededGenerator(seed: 1)
        for settings in try Self.settings() {
            var codec = try Self.codec(settings)
            for number in Self.numbers {
                let original = Self.page(settings, &generator)
                let (first, second) = try (
                    encrypted(original, number, &codec), encrypted(original, number, &codec)
                )
                #expect(first != second)
                #expect(try verdict(first, number, &codec).isTrusted)
                let back = try decrypted(first, number, &codec)
                #expect(back == Self.expected(original, number, settings))
            }
        }
    }

    /// What is not encrypted does not come back: the reserve, and the salt in place of the magic.
    private static func expected(
        _ page: [UInt8], _ number: UInt32, _ settings: CipherSettings
    ) -> [UInt8] {
        var page = page
        let end = settings.pageSize - settings.reserveByteCount
        page.replaceSubrange(end..., with: repeatElement(0, count: settings.reserveByteCount))
        if number == 1, settings.hasSaltInFile {
            page.replaceSubrange(..<16, with: DatabaseHeader.magic)
        }
        return page
    }

    @Test func `Every byte that is changed is noticed, but those that nothing covers`() throws {
        var generator = SeededGenerator(seed: 2)
        for settings in try Self.settings() where settings.authentication != .absent {
            var codec = try Self.codec(settings)
            for number: UInt32 in [1, 2] {
                var page = try encrypted(Self.page(settings, &generator), number, &codec)
                let step = settings.pageSize > 4096 ? 61 : 1
                for index in stride(from: 0, to: page.count, by: step) {
                    page[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                    let isNoticed = try verdict(page, number, &codec) == .damaged
                    #expect(isNoticed == Self.isCovered(index, number, settings), "\(index)")
                    page = try encrypted(page, number, &codec)
                }
            }
        }
    }

    /// SHA1 leaves 12 bytes of padding. The clear part of page 1 is the salt, on which all pages
    /// depend, or the plaintext header, on which none does.
    private static func isCovered(
        _ index: Int, _ number: UInt32, _ settings: CipherSettings
    ) -> Bool {
        let end =
            settings.pageSize - settings.reserveByteCount + 16 + settings.hmacByteCount
        return index < end && (number > 1 || index >= settings.clearByteCount)
    }

    @Test func `A page is authentic at its own place and under its own key only`() throws {
        var generator = SeededGenerator(seed: 3)
        for settings in try Self.settings() where settings.authentication != .absent {
            var codec = try Self.codec(settings)
            var other = try Self.codec(settings, key: 2)
            let page = try encrypted(Self.page(settings, &generator), 7, &codec)
            #expect(try verdict(page, 7, &codec) == .authentic)
            for number: UInt32 in [1, 6, 8, 0x0700_0000] {
                #expect(try verdict(page, number, &codec) == .damaged)
            }
            #expect(try verdict(page, 7, &other) == .damaged)
        }
    }

    @Test func `A page of zeros was never written, and one page never is`() throws {
        for settings in try Self.settings() {
            var codec = try Self.codec(settings)
            let zeros = [UInt8](repeating: 0, count: settings.pageSize)
            #expect(try verdict(zeros, 3, &codec) == .blank)
            let number = settings.lockBytePage
            #expect((Int(number) - 1) * settings.pageSize == 0x4000_0000)
            #expect(try verdict(zeros, number, &codec) == .lockBytes)
        }
    }

    @Test func `A page of another size stops the process`() async {
        await #expect(processExitsWith: .failure) {
            var codec = try PageCodec(
                PageKey(
                    CipherKey.generated(), fileSalt: CipherSalt.random(), settings: .version(.v4)))
            _ = try [UInt8](repeating: 0, count: 1024).withUnsafeBytes {
                try codec.verdict(on: $0, number: 1)
            }
        }
    }
}

extension PageCodecTests {
    private func encrypted(
        _ page: [UInt8], _ number: UInt32, _ codec: inout PageCodec
    ) throws -> [UInt8] {
        var page = page
        try page.withUnsafeMutableBytes { try codec.encrypt($0, number: number) }
        return page
    }

    private func decrypted(
        _ page: [UInt8], _ number: UInt32, _ codec: inout PageCodec
    ) throws -> [UInt8] {
        var page = page
        try page.withUnsafeMutableBytes { try codec.decrypt($0, number: number) }
        return page
    }

    private func verdict(
        _ page: [UInt8], _ number: UInt32, _ codec: inout PageCodec
    ) throws -> PageVerdict {
        try page.withUnsafeBytes { try codec.verdict(on: $0, number: number) }
    }
}

extension PageVerdict {
    fileprivate var isTrusted: Bool { self == .authentic || self == .unprotected }
}
