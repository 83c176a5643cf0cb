import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite struct PageFuzzTests {
    /// Pages of any bytes, read with any settings.
    @Test func `The page codec stands any page`() throws {
        let inputCount = try Fuzzing().run("page codec") { generator in
            let settings = Self.settings(&generator)
            var codec = try Self.codec(settings, &generator)
            let number = UInt32.random(in: 1...(.max - 1), using: &generator)
            var page = Self.page(settings.pageSize, &generator)
            try page.withUnsafeMutableBytes { page throws in
                let verdict = try codec.verdict(on: UnsafeRawBufferPointer(page), number: number)
                try Fuzzing.expect(verdict != .authentic, "a page out of nothing is authentic")
                try codec.decrypt(page, number: number)
                _ = DatabaseHeader(UnsafeRawBufferPointer(page))
                try codec.encrypt(page, number: number)
                let again = try codec.verdict(on: UnsafeRawBufferPointer(page), number: number)
                let wanted: PageVerdict =
                    settings.authentication == .absent ? .unprotected : .authentic
                try Fuzzing.expect(
                    again == wanted || number == settings.lockBytePage, "\(settings) \(number)")
            }
        }
        #expect(inputCount > 0)
    }

    /// A file of known pages, some of them damaged: the survey names those and no other.
    @Test func `Damage of a file is told to the page`() throws {
        let inputCount = try Fuzzing().run("page survey") { generator in
            let pageCount = Int.random(in: 0...12, using: &generator)
            let settings = try CipherSettings(
                pageSize: 1024, authentication: .hmac(generator.pick(CipherHash.allCases)))
            let file = try Self.file(settings, pages: pageCount, &generator)
            let threads = Int.random(in: 1...3, using: &generator)
            let survey = try PageSource(file.bytes, pageSize: 1024).survey(
                with: file.key, threads: threads)
            try Fuzzing.expect(
                survey.damaged.flatMap { Array($0) } == file.damaged,
                "\(survey.damaged) for \(file.damaged)")
            try Fuzzing.expect(
                survey.count(.authentic) == pageCount - file.damaged.count, "\(survey)")
        }
        #expect(inputCount > 0)
    }

    private struct Sample {
        var key: PageKey
        var bytes: [UInt8]
        var damaged: [UInt32]
    }

    private static func file(
        _ settings: CipherSettings, pages: Int, _ generator: inout SeededGenerator
    ) throws -> Sample {
        var codec = try codec(settings, &generator)
        var sample = Sample(key: codec.key, bytes: [], damaged: [])
        let covered = settings.pageSize - settings.reserveByteCount + 16 + settings.hmacByteCount
        for number in 1..<UInt32(pages + 1) {
            var page = page(settings.pageSize, &generator)
            try page.withUnsafeMutableBytes { try codec.encrypt($0, number: number) }
            if Int.random(in: 0...3, using: &generator) == 0 {
                let start = number == 1 ? settings.clearByteCount : 0
                let index = Int.random(in: start..<covered, using: &generator)
                page[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                sample.damaged.append(number)
            }
            sample.bytes += page
        }
        sample.bytes += generator.bytes(upTo: settings.pageSize - 1)
        return sample
    }

    private static func settings(_ generator: inout SeededGenerator) -> CipherSettings {
        while true {
            let hash = generator.pick(CipherHash.allCases)
            let header = generator.pick([0, 0, 0, 16, 32, 432, 976])
            let settings = try? CipherSettings(
                pageSize: 512 << Int.random(in: 0...7, using: &generator), kdfAlgorithm: hash,
                authentication: generator.pick([.absent, .hmac(hash)]),
                plaintextHeaderByteCount: header)
            if let settings { return settings }
        }
    }

    private static func codec(
        _ settings: CipherSettings, _ generator: inout SeededGenerator
    ) throws -> PageCodec {
        let bytes = (0..<48).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = "x'" + bytes.map { hexadecimal($0) }.joined() + "'"
        return try PageCodec(
            PageKey(EncryptedSample.key(text), fileSalt: nil, settings: settings))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func page(_ byteCount: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0...3, using: &generator) == 0 {
            return [UInt8](repeating: generator.next() & 1 == 0 ? 0 : 255, count: byteCount)
        }
        return (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}

extension PageSource {
    fileprivate init(_ bytes: [UInt8], pageSize: Int) {
        self.init(byteCount: Int64(bytes.count), pageSize: pageSize) { buffer, offset in
            let rest = bytes.dropFirst(Int(offset)).prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
    }
}
