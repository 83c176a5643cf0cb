import CMultiBuffer
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Whoever hashes side by side must get what libcrypto gives, one after the other.
@Suite("Hashes side by side")
struct SideBySideTests {
    /// Whether this machine has the library and the processor for it.
    private static var isOffered: Bool {
        guard let hasher = multi_buffer_sha256() else { return false }
        multi_buffer_free(hasher)
        return true
    }

    @Test(
        "What the machine offers is used: its hashes are the right ones", .proves("ENC-031"),
        .enabled(
            if: SideBySideTests.isOffered, "needs libipsec-mb and a processor with AVX2 or more"))
    func trust() {
        #expect(SideBySideHasher.isTrustworthy)
    }

    @Test("A refusal is told: libcrypto is asked then", .enabled(if: SideBySideTests.isOffered))
    func refusal() {
        guard var hasher = SideBySideHasher.sha256() else {
            Issue.record("it is offered, and not trusted")
            return
        }
        let tooLong = [UInt8](repeating: 7, count: 1 << 17)
        var results = [UInt8](repeating: 0, count: 64)
        let isDone = tooLong.withUnsafeBytes { message in
            results.withUnsafeMutableBytes { hasher.hash([message, message], to: $0) }
        }
        #expect(!isDone)
    }

    @Test("What is refused side by side is computed all the same", .proves("ENC-031"))
    func refusedHMAC() throws {
        // Longer than any page, and than the library takes.
        let long = [UInt8](repeating: 3, count: 70_000)
        let results = try long.withUnsafeBytes { bytes in
            let short = UnsafeRawBufferPointer(rebasing: bytes[..<4000])
            let messages = zip([short, bytes, short], UInt32(7)...).map {
                PageMAC.Message(bytes: $0, page: $1)
            }
            return try [hmacs(of: messages), hmacs(of: messages, forManyPages: true)]
        }
        #expect(results[0] == results[1])
        // The page's number is part of it.
        #expect(results[0][..<64] != results[0][128...])
    }

    private func hmacs(
        of messages: [PageMAC.Message], forManyPages: Bool = false
    ) throws -> [UInt8] {
        let key = [UInt8](0..<32)
        var results = [UInt8](repeating: 0, count: messages.count * 64)
        let isComputed = try key.withUnsafeBytes { key in
            var mac = try PageMAC(
                key: key, hash: .sha512, numbers: .littleEndian, forManyPages: forManyPages)
            return results.withUnsafeMutableBytes { mac.compute(messages, to: $0) }
        }
        #expect(isComputed)
        return results
    }

    /// Among them none at all, and one longer than the library takes.
    private static let lengths = [0, 1, 55, 64, 4096, 8192, 70_000]

    @Test("Digests of many pieces are those of each", .proves("ENC-031"))
    func digests() throws {
        var random = SeededGenerator(seed: 5)
        let text = (0..<200_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        try text.withUnsafeBytes { text in
            for count in [0, 1, 2, 15, 16, 17, 300] {
                let pieces = (0..<count).map { _ in
                    let length = Self.lengths[Int.random(in: 0..<7, using: &random)]
                    let start = Int.random(in: 0...(text.count - length), using: &random)
                    return UnsafeRawBufferPointer(rebasing: text[start..<(start + length)])
                }
                for pieces in [pieces, pieces.filter { $0.count == 4096 }] {
                    #expect(
                        try ContentDigest.digests(of: pieces)
                            == pieces.map { try ContentDigest(of: $0) })
                }
            }
            let blocks = try ContentDigest.digests(ofBlocksIn: text, blockByteCount: 4096)
            #expect(blocks.count == 49)
            let last = UnsafeRawBufferPointer(rebasing: text[(48 * 4096)...])
            #expect(try blocks[48] == ContentDigest(of: last))
        }
    }

    @Test("Threads that hash at once do not disturb each other", .proves("ENC-031"))
    func threads() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    let text = [UInt8](repeating: UInt8(seed), count: 64 * 4096)
                    for _ in 0..<20 {
                        try text.withUnsafeBytes { bytes in
                            let page = UnsafeRawBufferPointer(rebasing: bytes[..<4096])
                            let expected = try ContentDigest(of: page)
                            let digests = try ContentDigest.digests(
                                ofBlocksIn: bytes, blockByteCount: 4096)
                            #expect(digests.allSatisfy { $0 == expected })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Pages are verified and encrypted together as one by one", .proves("ENC-031"))
    func pages() throws {
        var random = SeededGenerator(seed: 6)
        for settings in try [
            CipherSettings.version(.v4), .version(.v3), .version(.v1),
            CipherSettings(pageSize: 512, authentication: .absent),
            CipherSettings(pageSize: 65536, plaintextHeaderByteCount: 32),
        ] {
            let key = try PageKey(
                .generated(), fileSalt: CipherSalt.random(), settings: settings)
            var one = try PageCodec(key)
            var many = try PageCodec(key, forManyPages: true)
            let lockPage = settings.lockBytePage
            for numbers in [1...1, 1...2, 1...77, (lockPage - 3)...(lockPage + 40)] {
                let pages = Pages(numbers, settings.pageSize, &random)
                try many.encrypt(pages.all)
                // A page that is damaged, one that is at another's place, and one never written.
                let count = pages.all.count
                if count > 10 {
                    pages.all[4].bytes[300] ^= 4
                    pages.all[5].bytes.copyMemory(from: UnsafeRawBufferPointer(pages.all[6].bytes))
                    pages.all[8].bytes.initializeMemory(as: UInt8.self, repeating: 0)
                }
                let verdicts = try many.verdicts(on: pages.all)
                let single = try pages.all.map { page in
                    try one.verdict(on: UnsafeRawBufferPointer(page.bytes), number: page.number)
                }
                #expect(verdicts == single)
                guard settings.authentication != .absent else { continue }
                let damaged = verdicts.indices.filter { verdicts[$0] == .damaged }
                #expect(damaged == (count > 10 ? [4, 5] : []))
                #expect(verdicts.count { $0 == .blank } == (count > 10 ? 1 : 0))
                #expect(verdicts.contains(.lockBytes) == numbers.contains(lockPage))
            }
        }
    }
}

/// Pages in memory that goes with them.
private final class Pages {
    let all: [NumberedPage]
    private let memory: UnsafeMutableRawBufferPointer

    init(_ numbers: ClosedRange<UInt32>, _ size: Int, _ random: inout SeededGenerator) {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: numbers.count * size, alignment: 16)
        for index in memory.indices { memory[index] = .random(in: 1...255, using: &random) }
        self.memory = memory
        all = numbers.enumerated().map { index, number in
            let bytes = memory[(index * size)..<((index + 1) * size)]
            return NumberedPage(UnsafeMutableRawBufferPointer(rebasing: bytes), number: number)
        }
    }

    deinit {
        memory.deallocate()
    }
}
