import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCLI

/// Commands over folders of keys, and several key files.
@Suite struct KeyStoreCommandTests {
    private let folder: TemporaryDirectory
    private let database: String
    private let keys: String

    init() throws {
        folder = try TemporaryDirectory()
        keys = folder.path(of: "keys")
        database = folder.path(of: "shop.db")
        try FileManager.default.createDirectory(
            atPath: keys, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let first = keys + "/0001.key"
        #expect(try CommandRun(["keygen", first]).exitCode == .done)
        let plain = folder.path(of: "plain.db")
        #expect(
            try Subprocess.run(
                "sqlcipher", [plain, "CREATE TABLE t (a); INSERT INTO t VALUES (7)"]
            )
            .isSuccess)
        #expect(
            try CommandRun(["encrypt", plain, database, "--key-file", first]).exitCode == .done)
    }

    private func run(_ words: String...) throws -> CommandRun { try CommandRun(words) }

    private func query(_ words: String..., file: String? = nil) throws -> CommandRun {
        try CommandRun(["query", file ?? database, "SELECT a FROM t", "--csv"] + words)
    }

    @Test(.proves("OPR-139"))
    func `A database that was created anew is refused after rotations, too`() throws {
        let repository = folder.path(of: "backup")
        #expect(try run("backup", "init", repository).exitCode == .done)
        let create = ["backup", "create", database, "--to", repository, "--keys", keys]
        #expect(try CommandRun(create).exitCode == .done)
        try FileManager.default.removeItem(atPath: database)
        let encrypted = try run(
            "encrypt", folder.path(of: "plain.db"), database, "--key-file", keys + "/0001.key")
        #expect(encrypted.exitCode == .done, "\(encrypted.errors)")
        for _ in 1...3 {
            let refused = try CommandRun(create)
            #expect(refused.exitCode == .failed, "\(refused.errors)")
            #expect(refused.errors.contains("--another-database"), "\(refused.errors)")
            let rotation = try run("rotate-key", database, "--keys", keys)
            #expect(rotation.exitCode == .done, "\(rotation.errors)")
        }
        #expect(try CommandRun(create + ["--another-database"]).exitCode == .done)
        #expect(try run("rotate-key", database, "--keys", keys).exitCode == .done)
        #expect(try CommandRun(create).exitCode == .done)
    }

    @Test(.proves("OPR-31"))
    func `a store rotates, backs up, and restores every backup`() throws {
        let repository = folder.path(of: "backup")
        #expect(try run("backup", "init", repository).exitCode == .done)
        for round in 1...3 {
            let backup = try run("backup", "create", database, "--to", repository, "--keys", keys)
            #expect(backup.exitCode == .done, "\(backup.errors)")
            for _ in 1...round {
                let rotation = try run("rotate-key", database, "--keys", keys)
                #expect(rotation.exitCode == .done, "\(rotation.errors)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: keys).sorted()
        #expect(names.filter { $0.hasSuffix(".key") }.count == 7)
        #expect(!names.contains { $0.hasSuffix(".next") })
        #expect(try query("--key-file", keys).output == "a\r\n7\r\n")
        let last = try run("backup", "create", database, "--to", repository, "--keys", keys)
        #expect(last.exitCode == .done, "\(last.errors)")
        let report = try run("backup", "verify", repository, "--key-file", keys)
        #expect(report.exitCode == .done)
        #expect(!report.output.contains("not authenticated"))
        for number in 1...4 {
            let copy = folder.path(of: "copy-\(number).db")
            let restored = try run(
                "backup", "restore", repository, "\(number)", copy, "--key-file", keys)
            #expect(restored.output.contains("verified and checked"), "\(restored.errors)")
            #expect(try query("--key-file", keys, file: copy).output == "a\r\n7\r\n")
        }
    }

    @Test(.proves("OPR-96"))
    func `where a keyring stands, a key store is refused, and the keyring named`() throws {
        let repository = folder.path(of: "backup")
        #expect(try run("backup", "init", repository).exitCode == .done)
        let first = keys + "/0001.key"
        #expect(try run("key", "init", database, "--key-file", first).exitCode == .done)
        for words in [
            ["backup", "create", database, "--to", repository], ["rotate-key", database],
        ] {
            let refused = try CommandRun(words + ["--keys", keys])
            #expect(refused.exitCode != .done)
            #expect(refused.errors.contains("\(database) has a keyring"), "\(refused.errors)")
            #expect(refused.errors.contains("--keys"), "\(refused.errors)")
        }
        let backup = try run("backup", "create", database, "--to", repository, "--key-file", first)
        #expect(backup.exitCode == .done, "\(backup.errors)")
    }

    @Test(.proves("OPR-58"))
    func `a store that begins with a rotation keeps the old key, for the backups`() throws {
        let repository = folder.path(of: "backup")
        #expect(try run("backup", "init", repository).exitCode == .done)
        let old = keys + "/0001.key"
        let create = ["backup", "create", database, "--to", repository]
        #expect(try CommandRun(create + ["--key-file", old]).exitCode == .done)
        let store = folder.path(of: "store")
        // A rotation that is refused keeps nothing.
        let wrong = folder.path(of: "wrong.key")
        #expect(try run("keygen", wrong).exitCode == .done)
        let refused = try run("rotate-key", database, "--keys", store, "--key-file", wrong)
        #expect(refused.exitCode == .wrongKey)
        #expect(!FileManager.default.fileExists(atPath: store + "/0001.key"))
        let rotation = try run("rotate-key", database, "--keys", store, "--key-file", old)
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        #expect(rotation.errors.contains("the old key is kept in \(store)"))
        try FileManager.default.removeItem(atPath: old)
        let next = try CommandRun(create + ["--keys", store])
        #expect(next.exitCode == .done, "\(next.errors)")
        for number in 1...2 {
            let copy = folder.path(of: "copy-\(number).db")
            let restored = try run(
                "backup", "restore", repository, "\(number)", copy, "--key-file", store)
            #expect(restored.output.contains("verified and checked"), "\(restored.errors)")
            #expect(try query("--key-file", store, file: copy).output == "a\r\n7\r\n")
        }
    }

    @Test(.proves("OPR-32"))
    func `a rotation that failed is run again with the same key`() throws {
        let empty = folder.path(of: "empty.db")
        try Data().write(to: URL(fileURLWithPath: empty))
        #expect(try run("rotate-key", database, empty, "--keys", keys).exitCode != .done)
        // One of them has the new key: it opens, and stays pending until all have it.
        #expect(FileManager.default.fileExists(atPath: keys + "/0002.next"))
        #expect(try query("--key-file", keys).exitCode == .done)
        let backups = folder.path(of: "backups")
        #expect(try run("backup", "init", backups).exitCode == .done)
        #expect(
            try run("backup", "create", database, "--to", backups, "--keys", keys).exitCode
                == .done)
        #expect(FileManager.default.fileExists(atPath: keys + "/0002.next"))
        let again = try run("rotate-key", database, "--keys", keys)
        #expect(again.exitCode == .done, "\(again.errors)")
        #expect(FileManager.default.fileExists(atPath: keys + "/0002.key"))
        #expect(try query("--key-file", keys + "/0002.key").exitCode == .done)
    }

    @Test(.proves("OPR-55"))
    func `all retired keys of a store are taken out of use at once`() throws {
        let repository = folder.path(of: "backup")
        #expect(try run("backup", "init", repository).exitCode == .done)
        let early = try run("backup", "rekey", repository, "--keys", keys)
        #expect(early.exitCode == .failed)
        #expect(early.errors.contains("strongroom rotate-key DATABASE --keys FOLDER"))
        for _ in 1...2 {
            let backup = try run("backup", "create", database, "--to", repository, "--keys", keys)
            #expect(backup.exitCode == .done, "\(backup.errors)")
            #expect(try run("rotate-key", database, "--keys", keys).exitCode == .done)
        }
        let rekeyed = try run("backup", "rekey", repository, "--keys", keys)
        #expect(rekeyed.output == "2 backups have the new key\n", "\(rekeyed.errors)")
        #expect(rekeyed.errors == "")
        let current = keys + "/0003.key"
        let report = try run("backup", "verify", repository, "--key-file", current)
        #expect(report.exitCode == .done && !report.output.contains("not authenticated"))
        let exposed = try run("backup", "verify", repository, "--key-file", keys + "/0002.key")
        #expect(exposed.exitCode == .wrongKey)
        // Again, when nothing is left to do; and the current key may be exposed as well.
        let again = try run("backup", "rekey", repository, "--keys", keys)
        #expect(again.output == "nothing was left to do: no backup has an exposed key\n")
        #expect(again.errors.contains("under the current key of \(keys) (0003)"))
        let twice = try run(
            "backup", "rekey", repository, "--keys", keys, "--new-key-file", current)
        #expect(twice.exitCode == .usage)
        #expect(
            try run("backup", "create", database, "--to", repository, "--keys", keys).exitCode
                == .done)
    }

    @Test func `a dry run creates no key`() throws {
        #expect(try run("rotate-key", database, "--keys", keys, "--dry-run").exitCode == .done)
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys) == ["0001.key"])
    }

    @Test func `a store begins with a key that is kept elsewhere`() throws {
        let empty = folder.path(of: "new-keys")
        let refused = try run("rotate-key", database, "--keys", empty)
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("--key-file"))
        let rotation = try run(
            "rotate-key", database, "--keys", empty, "--key-file", keys + "/0001.key")
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        #expect(try query("--key-file", empty).exitCode == .done)
    }

    @Test(.proves("OPR-37"))
    func `of several key files the right one is found`() throws {
        let wrong = folder.path(of: "wrong.key")
        #expect(try run("keygen", wrong).exitCode == .done)
        let right = keys + "/0001.key"
        #expect(try query("--key-file", wrong, "--key-file", right).output == "a\r\n7\r\n")
        #expect(try query("--key-file", wrong, "--key-file", keys).output == "a\r\n7\r\n")
        let none = try query("--key-file", wrong, "--key-file", wrong)
        #expect(none.exitCode == .wrongKey)
        // A writing command does not choose.
        let twice = try run("rotate-key", database, "--key-file", wrong, "--key-file", right)
        #expect(twice.exitCode == .usage)
    }

    @Test(.proves("OPR-37"))
    func `for several databases, a folder of keys is named as a key store`() throws {
        let second = folder.path(of: "second.db")
        try FileManager.default.copyItem(atPath: database, toPath: second)
        let root = folder.path(of: "root")
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: false)
        #expect(try run("keygen", keys + "/0000.key").exitCode == .done)
        let newKey = folder.path(of: "new.key")
        for command in [
            ["rotate-key", "--new-key-generate", newKey], ["backup", "create", "--to", root],
        ] {
            let refused = try CommandRun(command + [database, second, "--key-file", keys])
            #expect(refused.exitCode == .failed)
            #expect(refused.errors.contains("2 keys are given for the databases"))
            #expect(refused.errors.contains("use --keys \(keys)"), "\(refused.errors)")
        }
        let backup = try run("backup", "create", database, second, "--to", root, "--keys", keys)
        #expect(backup.exitCode == .done, "\(backup.errors)")
    }

    @Test(.proves("OPR-37"))
    func `links and files that others can read are reported`() throws {
        let wrong = folder.path(of: "wrong.key")
        #expect(try run("keygen", wrong).exitCode == .done)
        try FileManager.default.createSymbolicLink(
            atPath: keys + "/0000.key", withDestinationPath: wrong)
        try FileManager.default.copyItem(atPath: wrong, toPath: keys + "/open.key")
        #expect(chmod(keys + "/open.key", 0o644) == 0)
        let found = try query("--key-file", keys)
        #expect(found.output == "a\r\n7\r\n")
        #expect(found.errors.contains("0000.key is a link"))
        #expect(found.errors.contains("open.key is open to other users"))
    }

    @Test(.proves("OPR-37"))
    func `more than a thousand keys are refused`() throws {
        for number in 2...1001 {
            let text = "x'" + String(repeating: String(format: "%04d", number), count: 16) + "'\n"
            #expect(
                FileManager.default.createFile(
                    atPath: keys + "/\(number).key", contents: Data(text.utf8),
                    attributes: [.posixPermissions: 0o600]))
        }
        let run = try query("--key-file", keys)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("1001 keys are too many"))
        try FileManager.default.removeItem(atPath: keys + "/2.key")
        #expect(try query("--key-file", keys).output == "a\r\n7\r\n")
    }

    @Test(
        .proves("OPR-212"), .enabled(if: getuid() == 0, "needs root, who gives files to others"))
    func `What root writes for a service belongs to the service`() throws {
        let manager = FileManager.default
        for path in [keys, keys + "/0001.key", database] {
            try manager.setAttributes(
                [.ownerAccountID: 65534, .groupOwnerAccountID: 65534], ofItemAtPath: path)
        }
        let rotated = try run("rotate-key", database, "--keys", keys)
        #expect(rotated.exitCode == .done, "\(rotated.errors)")
        let names = try manager.contentsOfDirectory(atPath: keys)
        #expect(names.contains("0002.key") && names.contains("lock"))
        for path in names.map({ keys + "/" + $0 }) + [database] {
            let owner = try manager.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
            #expect(owner == 65534, "\(path)")
        }
    }
}
