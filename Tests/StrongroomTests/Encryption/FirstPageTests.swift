import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// First pages that the key vouches for, and that name another page size than pages have.
@Suite("First pages of another page size")
struct FirstPageTests {
    private let folder: TemporaryDirectory
    private let sample: DamagedFile.Sample
    private let file: DatabaseFile
    /// Page 1 as somebody with the key can write it.
    private let hostile: [UInt8]

    init() throws {
        folder = try TemporaryDirectory()
        sample = try #require(try DamagedFile.samples().first)
        let changed = try sample.rewritten(sample.bytes, 1...1, with: sample.key) { page in
            page[16] = 2
        }
        hostile = Array(changed.prefix(sample.pageSize))
        let path = try folder.write(Data(sample.bytes), to: "a.db")
        file = DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
    }

    private func expectRefusal(_ reason: String) throws {
        let names = try folder.names()
        let out = DatabaseFile(path: folder.path(of: "out.db"), key: file.key)
        let works: [() throws -> Void] = [
            { _ = try file.check() }, { _ = try file.findingCipherSettings() },
            { _ = try file.transfer(to: out) }, { _ = try file.rotateKey(to: .generated()) },
        ]
        for (number, work) in works.enumerated() {
            let error = #expect(throws: DatabaseFileError.self, "\(number)", performing: work)
            // A log or a journal is refused sooner if it is none, or does not belong to the file.
            guard error?.code != .foreignLog else { continue }
            #expect(error?.code == .damaged, "\(number): \(String(describing: error))")
            #expect(error?.message.contains(reason) == true, "\(number): \(error?.message ?? "")")
        }
        #expect(try folder.names() == names)
    }

    @Test("in the file", .proves("ENG-05"), arguments: [2, 4, 8, 32, 1])
    func inFile(size: UInt8) throws {
        let bytes = try sample.rewritten(sample.bytes, 1...1, with: sample.key) { page in
            (page[16], page[17]) = size == 1 ? (0, 1) : (size, 0)
        }
        try folder.write(Data(bytes), to: "a.db")
        try expectRefusal("its first page says that pages have")
    }

    @Test("in the log", .proves("ENG-05"))
    func inLog() throws {
        // The checksums of a frame are nobody's secret; it need not even count to be refused.
        let header: [UInt8] = [0x37, 0x7f, 6, 0x82] + [UInt8](repeating: 0, count: 28)
        let frame: [UInt8] = [0, 0, 0, 1] + [UInt8](repeating: 0, count: 20)
        try folder.write(Data(header + frame + hostile), to: "a.db-wal")
        try expectRefusal("its first page says that pages have 512 bytes, not 4096")
    }

    @Test("in the journal, also as two records of half a page", .proves("ENG-05"))
    func inJournal() throws {
        func journal(pageSize: UInt8) -> [UInt8] {
            let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
            let numbers: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 2, 0]
            let header = magic + numbers + [0, 0, pageSize, 0]
            let rest = [UInt8](repeating: 0, count: 512 - header.count)
            return header + rest + [0, 0, 0, 1] + hostile + [0, 0, 0, 0]
        }
        try folder.write(Data(journal(pageSize: 16)), to: "a.db-journal")
        try expectRefusal("its first page says that pages have 512 bytes, not 4096")
        try folder.write(Data(journal(pageSize: 8)), to: "a.db-journal")
        try expectRefusal("its journal has pages of 2048 bytes, not 4096")
    }

    @Test("under a passphrase", .proves("ENG-05"))
    func passphrase() throws {
        let path = folder.path(of: "b.db")
        let key = try CipherKey(passphrase: "secret")
        try SQLCipherShell(path: path, key: .passphrase("secret")).create("CREATE TABLE t (a)")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let pageKey = try PageKey(
            key, fileSalt: CipherSalt(bytes.prefix(16)), settings: .version(.v4))
        var codec = try PageCodec(pageKey)
        try bytes.withUnsafeMutableBytes { bytes in
            let page = UnsafeMutableRawBufferPointer(rebasing: bytes[..<4096])
            try codec.decrypt(page, number: 1)
            page[16] = 8
            try codec.encrypt(page, number: 1)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: DatabaseFileError.self) {
            try DatabaseFile(path: path, key: key).check()
        }
        #expect(error?.code == .damaged)
    }
}
