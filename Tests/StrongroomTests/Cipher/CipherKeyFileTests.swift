import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A key file")
struct CipherKeyFileTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    var path: String { folder.path(of: "app.key") }

    @Test("is for its owner only, and is read back as the same key")
    func roundTrip() throws {
        let key = try CipherKey.generated()
        try key.write(toNewFile: path)
        #expect(try FileSystem.system.status(path).mode == 0o600)
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(content.count == 68 && content.last == 0x0a)
        #expect(try content.withUnsafeBytes { try CipherKey(parsing: $0) }.isSame(as: key))
        let read = try CipherKey(contentsOfFile: path)
        #expect(read.isSame(as: key) && read.form == .rawKey)
        // Links are followed, and a file that nobody may write is enough.
        let link = folder.path(of: "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.key")
        #expect(chmod(path, 0o400) == 0)
        #expect(try CipherKey(contentsOfFile: link).isSame(as: key))
    }

    @Test("may hold a passphrase, whole pages of it too", arguments: [1, 15, 4095])
    func passphrase(count: Int) throws {
        let key = try CipherKey(passphrase: String(repeating: "p", count: count))
        try key.write(toNewFile: path)
        let read = try CipherKey(contentsOfFile: path)
        #expect(read.isSame(as: key) && read.form == .passphrase)
    }

    @Test("that is read in small pieces is whole")
    func shortReads() throws {
        let key = try CipherKey.generated()
        try key.write(toNewFile: path)
        var fileSystem = FileSystem.system
        fileSystem.read = { (descriptor, memory, offset) throws(SystemError) in
            let piece = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(7))
            return try FileSystem.system.read(descriptor, piece, offset)
        }
        #expect(try CipherKey(contentsOfFile: path, fileSystem: fileSystem).isSame(as: key))
    }

    static let noKeys: [(content: String?, code: CipherKeyError.Code, reason: String)] = [
        (nil, .cannotRead, "No such file"),
        ("", .empty, "empty"),
        ("x'0123'\n", .wrongLength, "4 hexadecimal digits"),
        ("secret\0", .containsNUL, "NUL"),
        (String(repeating: "p", count: 4097), .cannotRead, "too long"),
    ]

    @Test("that holds no key is refused by its name", arguments: noKeys.indices)
    func noKey(index: Int) throws {
        let (content, code, reason) = Self.noKeys[index]
        if let content { try folder.write(content, to: "app.key") }
        let error = #expect(throws: CipherKeyError.self) { try CipherKey(contentsOfFile: path) }
        #expect(error?.code == code)
        #expect(error?.message.contains(path) == true)
        #expect(error?.message.contains(reason) == true)
    }

    @Test("must be a file: a folder and a pipe that nobody writes to are refused")
    func noFile() throws {
        #expect(mkfifo(path, 0o600) == 0)
        for name in [path, folder.path] {
            let error = #expect(throws: CipherKeyError.self) { try CipherKey(contentsOfFile: name) }
            #expect(error?.code == .cannotRead)
        }
    }

    @Test("is never overwritten, be it by a link")
    func exists() throws {
        try folder.write("old", to: "app.key")
        let link = folder.path(of: "link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path(of: "nothing"))
        for name in [path, link] {
            let error = #expect(throws: CipherKeyError.self) {
                try CipherKey.generated().write(toNewFile: name)
            }
            #expect(error?.code == .fileExists)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(try folder.names() == ["app.key", "link"])
    }

    @Test("is gone again when writing fails")
    func failure() throws {
        var fileSystem = FileSystem.system
        fileSystem.synchronize = { (_) throws(SystemError) in
            throw SystemError("fsync", "", number: ENOSPC)
        }
        let error = #expect(throws: CipherKeyError.self) {
            try CipherKey.generated().write(toNewFile: path, fileSystem: fileSystem)
        }
        #expect(error?.code == .cannotWrite)
        #expect(error?.message.contains("No space left") == true)
        #expect(try folder.names().isEmpty)
    }

    @Test("that does not hold what was written is an error, and gone")
    func readBack() throws {
        var fileSystem = FileSystem.system
        fileSystem.read = { (_, _, _) throws(SystemError) in 3 }
        #expect(throws: CipherKeyError.self) {
            try CipherKey.generated().write(toNewFile: path, fileSystem: fileSystem)
        }
        #expect(try folder.names().isEmpty)
    }

    @Test(
        "is refused for a passphrase that it could not give back",
        arguments: [
            "x'abc", "ends in a return\r", String(repeating: "too long", count: 512),
        ])
    func notRepresentable(passphrase: String) throws {
        let key = try CipherKey(passphrase: passphrase)
        let error = #expect(throws: CipherKeyError.self) { try key.write(toNewFile: path) }
        #expect(error?.code == .cannotWrite)
        #expect(try folder.names().isEmpty)
    }

    @Test("in a folder that is not there is an error that says so")
    func noFolder() throws {
        let error = #expect(throws: CipherKeyError.self) {
            try CipherKey.generated().write(toNewFile: folder.path(of: "no/such/key"))
        }
        #expect(error?.message.contains("No such file") == true)
    }
}
