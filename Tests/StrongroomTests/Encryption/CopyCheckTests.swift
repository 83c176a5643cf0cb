import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("SQLCipher's check of a copy that is still being written")
struct CopyCheckTests {
    private static let chunkByteCount = 1 << 14

    /// A whole file, and the copy of it that a check reads while chunks of it come.
    private struct Copy {
        let sample: EncryptedSample
        let content: Data
        let path: String
        let descriptor: FileSystem.Descriptor

        init(_ sql: String = EncryptedSample.content) throws {
            sample = try EncryptedSample(.version(.v4), sql: sql)
            content = try Data(contentsOf: URL(fileURLWithPath: sample.path))
            path = sample.directory.path(of: "copy.db")
            descriptor = try FileSystem.system.create(path)
        }

        func startCheck(
            keyText: String? = nil, ofFirst count: Int64 = .max
        ) throws -> CopyCheck {
            let key = try EncryptedSample.key(keyText ?? sample.keyText)
            return CopyCheck(
                of: DatabaseFile(path: path, key: key), byteCount: Int64(content.count),
                checkedByteCount: count)
        }

        var chunks: [Range<Int>] {
            stride(from: 0, to: content.count, by: CopyCheckTests.chunkByteCount).map {
                $0..<min($0 + CopyCheckTests.chunkByteCount, content.count)
            }
        }

        func write(_ chunk: Range<Int>, to gate: ReadGate, flippingByteAt flipped: Int? = nil)
            throws
        {
            var bytes = Array(content[chunk])
            if let flipped, chunk.contains(flipped) { bytes[flipped - chunk.lowerBound] ^= 1 }
            let written = bytes
            try written.withUnsafeBytes {
                try FileSystem.system.writeAll($0, to: descriptor, at: Int64(chunk.lowerBound))
            }
            gate.open(Int64(chunk.lowerBound)..<Int64(chunk.upperBound))
        }

        func close() { FileSystem.system.close(descriptor) }
    }

    @Test("reads what comes, in any order, and finds it whole", .proves("ENC-030"))
    func anyOrder() throws {
        var random = SeededGenerator(seed: 20)
        for _ in 0..<5 {
            let copy = try Copy()
            defer { copy.close() }
            let check = try copy.startCheck()
            for chunk in copy.chunks.shuffled(using: &random) {
                #expect(check.gate.position < Int64(copy.content.count))
                try copy.write(chunk, to: check.gate)
            }
            let (database, messages) = try check.wait(LongOperation())
            #expect(messages == [])
            #expect(check.gate.position == Int64(copy.content.count))
            // An ordinary connection from here on.
            #expect(try database.number("SELECT count(*) FROM t") == 270)
            #expect(try database.texts("PRAGMA integrity_check") == ["ok"])
            try database.close()
        }
    }

    @Test("names each page that is not authentic", .proves("ENC-030"))
    func damage() throws {
        let copy = try Copy()
        defer { copy.close() }
        let check = try copy.startCheck()
        for chunk in copy.chunks {
            try copy.write(chunk, to: check.gate, flippingByteAt: 9 * 4096 + 50)
        }
        let (database, messages) = try check.wait(LongOperation())
        #expect(messages.compactMap(CipherIntegrity.page) == [10])
        try database.close()
    }

    @Test("reads the beginning alone where that is asked for", .proves("SCL-05"))
    func beginning() throws {
        let copy = try Copy()
        defer { copy.close() }
        for (count, expected) in [(10 * 4096, [10]), (9 * 4096, []), (0, [])] {
            let check = try copy.startCheck(ofFirst: Int64(count))
            for chunk in copy.chunks {
                try copy.write(chunk, to: check.gate, flippingByteAt: 9 * 4096 + 50)
            }
            let (database, messages) = try check.wait(LongOperation())
            #expect(messages.compactMap(CipherIntegrity.page) == expected, "\(count)")
            #expect(check.gate.position < Int64(copy.content.count))
            #expect(try database.number("SELECT count(*) FROM sqlite_schema") > 0)
            try database.close()
        }
    }

    /// SQLCipher's check cannot be interrupted, and keeps a message for each page that it misses.
    @Test(
        "ends when there will be no more, and keeps nothing of what it missed", .proves("ENC-030"))
    func abandoned() throws {
        let copy = try Copy()
        defer { copy.close() }
        let check = try copy.startCheck()
        let half = copy.chunks.count / 2
        for chunk in copy.chunks[..<half] { try copy.write(chunk, to: check.gate) }
        // Until it stands before what is missing.
        while check.gate.position < Int64(half * Self.chunkByteCount) { sched_yield() }
        check.gate.close()
        let error = #expect(throws: DatabaseError.self) {
            try check.wait(LongOperation())
        }
        #expect(error?.resultCode == .SQLITE_NOMEM)
        #expect(check.gate.position == Int64(half * Self.chunkByteCount))
        // Nobody waits for one that is given up before anything was written.
        try copy.startCheck().abandon()
    }

    @Test("tells the writer when it has failed", .proves("ENC-030"))
    func failure() throws {
        let copy = try Copy()
        defer { copy.close() }
        var file = DatabaseFile(path: copy.path, key: try EncryptedSample.key(copy.sample.keyText))
        file.configuration.prepareDatabase { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM missing")
        }
        let check = CopyCheck(
            of: file, byteCount: Int64(copy.content.count), checkedByteCount: .max)
        for chunk in copy.chunks { try copy.write(chunk, to: check.gate) }
        let error = #expect(throws: DatabaseError.self) { try check.wait(LongOperation()) }
        #expect(error?.message?.contains("missing") == true)
        #expect(check.gate.isClosed)
    }

    @Test("ends with what `progress` throws", .proves("ENC-030"))
    func cancelled() throws {
        struct Enough: Error {}
        let fixture = try RotationFixture(rowByteCount: 1500)
        let before = try fixture.content()
        #expect(throws: Enough.self) {
            try fixture.file.rotateKey(to: fixture.newKey) { progress in
                if progress.phase == .verifying { throw Enough() }
            }
        }
        #expect(try fixture.content() == before)
        #expect(try fixture.folder.names() == ["app.db"])
    }
}
