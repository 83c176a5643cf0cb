import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// What files look like without a key.
@Suite("The verdict on a file")
struct FileVerdictTests {
    private let folder: TemporaryDirectory
    private let key: CipherKey

    init() throws {
        folder = try TemporaryDirectory()
        key = try CipherKey(rawKey: Data(0..<32), salt: Data(0..<16))
    }

    private func change(_ path: String, _ edit: (inout Data) -> Void) throws {
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        edit(&content)
        try content.write(to: URL(fileURLWithPath: path))
    }

    private func plain(_ name: String = "plain.db") throws -> String {
        let path = folder.path(of: name)
        try SQLCipherShell(path: path).create(
            "CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(30000));")
        return path
    }

    @Test(
        "a plaintext header of any size is encrypted", .proves("OPR-03"),
        arguments: [16, 32, 64, 96, 112, 400], ["ON", "OFF"])
    func header(size: Int, hmac: String) throws {
        let path = folder.path(of: "header.db")
        let text =
            "x'" + (0..<32).map { String(format: "%02x", $0) }.joined()
            + (0..<16).map { String(format: "%02x", $0) }.joined() + "'"
        try SQLCipherShell(
            path: path, key: .content(text),
            settings: [
                "PRAGMA cipher_use_hmac = \(hmac)", "PRAGMA cipher_plaintext_header_size = \(size)",
            ]
        ).create("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(30000));")
        let file = DatabaseFile(path: path)
        #expect(try file.verdict().kind == .plaintextHeader)
        #expect(try file.diagnose().verdict == .keyNeeded)
        let wrong = DatabaseFile(
            path: path, key: try CipherKey(rawKey: Data(1..<33), salt: Data(0..<16)))
        #expect(try wrong.diagnose().verdict == .wrongKey)
        #expect(throws: DatabaseFileError.self) { try wrong.findingCipherSettings() }
        guard hmac == "ON" else { return }
        #expect(try DatabaseFile(path: path, key: key).findingCipherSettings().check().isSound)
    }

    @Test(
        "a plain database whose rest is junk is none, and not encrypted", .proves("OPR-03"),
        arguments: [nil, 5, 13] as [UInt8?])
    func junk(firstByte: UInt8?) throws {
        let path = try plain()
        // As of a table's page, with more cells than the page has room for.
        let node = firstByte.map { [$0, 0, 0, 0xff, 0xff, 0x0f, 0xf0, 0] }
        try change(path) { content in
            let junk = (0..<20000).map { _ in UInt8.random(in: 0...255) }
            content = content.prefix(100) + (node ?? [255]) + junk
        }
        #expect(try DatabaseFile(path: path).verdict().kind == .damagedPlaintext)
        #expect(try DatabaseFile(path: path, key: key).diagnose().verdict == .notADatabase)
        let error = #expect(throws: DatabaseFileError.self) {
            try DatabaseFile(path: path, key: key).open()
        }
        #expect(error?.code == .notADatabase)
    }

    @Test("a plain database of any page size is a plain one", arguments: [512, 1024, 4096, 65536])
    func pageSize(_ size: Int) throws {
        for schema in ["", "CREATE TABLE t (a);", wide()] {
            let path = folder.path(of: "\(size)-\(schema.utf8.count).db")
            try SQLCipherShell(path: path).create("PRAGMA page_size = \(size); VACUUM; \(schema)")
            #expect(try DatabaseFile(path: path).verdict().kind == .plaintext)
        }
    }

    /// So many tables that the first page of the schema has pages below it.
    private func wide() -> String {
        "BEGIN;" + (0..<3000).map { "CREATE TABLE t\($0) (a, b, c);" }.joined() + "COMMIT;"
    }

    @Test("a plain database that is cut is still a plain one, and its end is missing")
    func cut() throws {
        let path = try plain()
        try change(path) { $0 = $0.dropLast(4096 + 100) }
        let diagnosis = try DatabaseFile(path: path).diagnose()
        #expect(diagnosis.verdict == .plaintext && !diagnosis.missingPages.isEmpty)
        #expect(diagnosis.advice?.contains("encrypt") == false)
    }

    @Test("a plain database of which not even a page is left was one", .proves("OPR-03"))
    func beginning() throws {
        let path = try plain()
        try change(path) { $0 = $0.prefix(300) }
        #expect(try DatabaseFile(path: path).verdict().kind == .damagedPlaintext)
        #expect(try DatabaseFile(path: path).diagnose().verdict == .notADatabase)
        for key in [nil, key] {
            #expect(throws: (any Error).self) {
                try DatabaseFile(path: path, key: key).open().read { try $0.tableExists("t") }
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 300)
    }

    @Test("a database that is cut keeps its settings", .proves("OPR-07"), arguments: [0, 100])
    func cutEncrypted(rest: Int) throws {
        let path = folder.path(of: "old.db")
        let text = "x'" + String(repeating: "0b1d", count: 16) + "'"
        try SQLCipherShell(
            path: path, key: .content(text), settings: ["PRAGMA cipher_compatibility = 3"]
        ).create("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(30000));")
        try change(path) { $0 = $0.prefix(10 * 1024 + rest) }
        let key = try CipherKey(rawKey: Data((0..<16).flatMap { _ in [0x0b, 0x1d] as [UInt8] }))
        let file = try DatabaseFile(path: path, key: key).findingCipherSettings()
        #expect(file.foundCipherSettings == ["PRAGMA cipher_compatibility = 3"])
        #expect(try !file.check().isSound)
    }

    @Test("a file of one byte is no database, and not empty")
    func oneByte() throws {
        let path = try folder.write(Data([7]), to: "byte.db")
        #expect(try DatabaseFile(path: path).diagnose().summary.contains("1 bytes"))
        let error = #expect(throws: DatabaseFileError.self) {
            try DatabaseFile(path: path).requireEncrypted()
        }
        #expect(error?.message.contains("1 bytes") == true)
    }

    @Test("a plain database with a reserve of other programs is a plain one")
    func reserve() throws {
        let path = folder.path(of: "reserve.db")
        try SQLCipherShell(path: path).create(
            ".filectrl reserve_bytes 32\nCREATE TABLE t (a);")
        #expect(try DatabaseFile(path: path).verdict().kind == .plaintext)
    }

    private func encrypted(_ key: CipherKey) throws -> String {
        let path = folder.path(of: "app.db")
        let plain = DatabaseFile(path: try plain())
        try plain.transfer(to: DatabaseFile(path: path, key: key))
        return path
    }

    @Test(
        "a first page of zeros is damage, and no wrong key", .proves("OPR-15"),
        arguments: [nil, "a passphrase of some length", "x'\(String(repeating: "07", count: 32))'"])
    func blankStart(keyText: String?) throws {
        let path = try encrypted(try CipherKey(passphrase: "a passphrase of some length"))
        try change(path) { $0.replaceSubrange(0..<4096, with: Data(count: 4096)) }
        let key = try keyText.map { text in
            try Array(text.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
        }
        let file = DatabaseFile(path: path, key: key)
        let diagnosis = try file.diagnose()
        #expect(diagnosis.verdict == .damaged)
        #expect(diagnosis.summary.contains("page 1 of \(path) is all zeros"))
        guard keyText != nil else { return }
        let error = #expect(throws: DatabaseFileError.self) { try file.check() }
        #expect(error?.code == .damaged && error?.message.contains("all zeros") == true)
        let salvage = #expect(throws: DatabaseFileError.self) {
            try file.salvage(to: DatabaseFile(path: folder.path(of: "out.db"), key: file.key))
        }
        #expect(salvage?.code == .damaged)
    }

    @Test(
        "a file of another form is very likely no database", .proves("OPR-15"),
        arguments: [
            ("JPEG pictures", 0, [0xff, 0xd8, 0xff, 0xdb, 0, 67] as [UInt8]),
            ("ZIP archives", 0, [0x50, 0x4b, 3, 4, 20, 0]),
            ("PDF documents", 0, Array("%PDF-1.7".utf8)),
            ("compressed files", 0, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
            ("programs", 0, [0x7f, 0x45, 0x4c, 0x46, 2, 1]),
            ("tar archives", 257, Array("ustar ".utf8)),
        ])
    func otherForm(name: String, offset: Int, magic: [UInt8]) throws {
        let path = try encrypted(key)
        try change(path) {
            let noise = Data((0..<4096).map { _ in UInt8.random(in: 0...255) })
            $0.replaceSubrange(0..<4096, with: noise)
            $0.replaceSubrange(offset..<(offset + magic.count), with: magic)
            if name == "JPEG pictures" { $0[4 + 67] = 0xff }
        }
        // Of a passphrase, a key is derived for each of many settings: once is enough.
        let wrong =
            name == "JPEG pictures"
            ? try CipherKey(passphrase: "a passphrase of some length")
            : try CipherKey(rawKey: Data(1..<33))
        for key in [nil, wrong] {
            let file = DatabaseFile(path: path, key: key)
            let diagnosis = try file.diagnose()
            #expect(diagnosis.verdict == .notADatabase)
            #expect(diagnosis.summary.contains("begins as \(name)"), "\(diagnosis.summary)")
            let error = #expect(throws: DatabaseFileError.self) { try file.check() }
            #expect(error?.code == .notADatabase && error?.message.contains(name) == true)
        }
    }
}
