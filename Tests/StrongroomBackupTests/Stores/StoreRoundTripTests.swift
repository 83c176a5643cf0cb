import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup
@testable import StrongroomSFTP

/// A repository over each store.
@Suite struct StoreRoundTripTests {
    @Test(.proves("OBJ-001"), arguments: StoreKind.installed)
    func `Backups are created, listed, verified, restored, pruned and rekeyed`(
        kind: StoreKind
    ) throws {
        let fixture = try StoreFixture(kind, rowCount: 3000)
        let key = try BackupFixture.databaseKey
        for number in 1...3 {
            try fixture.change(number)
            #expect(try fixture.repository.backUp(fixture.base.file).number == number)
        }
        let opened = try BackupRepository(path: kind.url(of: fixture.folder))
        #expect(try opened.backups().map(\.number) == [1, 2, 3])
        #expect(try opened.verify().isSound)
        #expect(try opened.verify(key: .database(key)).isSound)
        #expect(try opened.status().databases.map(\.last.number) == [3])
        try opened.restore("2", to: fixture.base.path("second.db"), key: key)
        #expect(try fixture.sum("second.db") == .integer(150))
        try opened.restore(to: fixture.base.path("without-key.db"))
        #expect(try fixture.sum("without-key.db") == .integer(225))
        _ = try opened.prune(keeping: RetentionPolicy(last: 1), key: key)
        #expect(try opened.backups().map(\.number) == [3])
        let other = try BackupFixture.key(BackupFixture.otherKeyText)
        _ = try opened.rekey(from: key, to: other)
        try opened.restore(to: fixture.base.path("rekeyed.db"), key: other)
        let shell = fixture.base.shell("rekeyed.db", key: BackupFixture.otherKeyText)
        #expect(try shell.cell("SELECT sum(n) FROM t") == .integer(225))
        // What the store keeps is a repository as in any folder.
        #expect(try fixture.local().verify(key: .database(other)).isSound)
        #expect(BackupRoot.isRepository(opened.path))
    }

    @Test(.proves("OBJ-001"), arguments: StoreKind.remote)
    func `A folder of repositories lies in a store, too`(kind: StoreKind) throws {
        let base = try BackupFixture(rowCount: 100)
        let folder = try kind.place("root", in: base.folder.path)
        let root = try BackupRoot(path: kind.url(of: folder))
        for name in ["shops/north.db", "shops/south.db"] {
            let repository = try root.makeRepository(forDatabaseAt: name)
            #expect(try repository.backUp(base.file).number == 1)
        }
        let members = try root.members()
        #expect(members.map(\.name) == ["shops%2Fnorth.db", "shops%2Fsouth.db"])
        #expect(members.map(\.databasePath) == ["shops/north.db", "shops/south.db"])
        for member in members {
            let repository = try root.repository(member)
            #expect(try repository.verify().isSound)
            let direct = try BackupRepository(path: kind.direct(folder) + "/" + member.name)
            #expect(try direct.backups().count == 1)
        }
    }

    @Test(.proves("OBJ-005"), arguments: StoreKind.remote)
    func `A store that lacks something says so when a repository is created`(
        kind: StoreKind
    ) throws {
        let fixture = try StoreFixture(kind, rowCount: 10)
        let notices = try fixture.repository.rememberAsNew(in: nil).joined(separator: "\n")
        #expect(notices.contains("posix-rename") == (kind == .plainSFTP))
        #expect(notices.contains("fsync") == (kind != .sftp))
        for words in ["one host at a time", "in two steps"] {
            #expect(notices.contains(words) == (kind.isRclone && !kind.isOther), "\(words)")
        }
    }

    @Test(.proves("OBJ-012"), arguments: StoreKind.remote)
    func `A keeper finds no row, key or tag of the content in what the store has`(
        kind: StoreKind
    ) throws {
        let fixture = try StoreFixture(kind, rowCount: 10)
        let canary = "canary that nobody may read"
        try fixture.base.shell("app.db").run(
            "CREATE TABLE secret_table (a); INSERT INTO secret_table VALUES ('\(canary)')")
        try fixture.repository.backUp(fixture.base.file)
        let key = [UInt8](repeating: 0x5A, count: 32)
        let root = try kind.open(kind.direct(fixture.folder))
        let files =
            try ["head"].map { (root, $0) }
            + ["packs", "backups"].flatMap { name in
                let folder = try root.folder(name)
                return try folder.names().map { (folder, $0) }
            }
        for (folder, name) in files {
            let content = try Data(folder.content(of: name, limit: 1 << 24))
            for secret in [Data(canary.utf8), Data("secret_table".utf8), Data(key)] {
                #expect(content.range(of: secret) == nil, "\(name)")
            }
        }
        #expect(files.count == 3)
    }

    @Test(.proves("OBJ-008"))
    func `A URL with a password is refused, and the password is not printed`() throws {
        for url in ["sftp://anna:canary@host/x", "sftp://:canary@host/x"] {
            for result in [
                Result { _ = try BackupRepository(path: url) },
                Result { _ = try BackupRepository.create(at: url) },
                Result { _ = try BackupRoot(path: url) },
            ] {
                let error = try #require(throws: BackupError.self) { try result.get() }
                #expect(error.message.contains("password"))
                #expect(!"\(error) \(error.hint ?? "") \(error.path)".contains("canary"))
            }
        }
    }

    @Test(
        .proves("OBJ-008"),
        arguments: [
            "sftp://host", "sftp:///x", "sftp://-oProxyCommand=x/y", "sftp://host:0/x",
            "sftp://host:port/x",
            "sftp://-l@host/x", "rclone:", "rclone:remote", "rclone:-x:y", "exec:", "exec:  ",
            "s3://bucket/x",
            "sftp://a b/x",
        ])
    func `A URL that leads nowhere is refused before a program starts`(url: String) throws {
        let error = try #require(throws: BackupError.self) { try BackupRepository(path: url) }
        #expect(error.code == .failed)
        #expect(!BackupRoot.isRepository(url))
    }

    @Test(
        .proves("OPR-125"),
        arguments: [
            "sftp://anna@host.example//srv/./shop/", "sftp://anna@host.example/srv//shop",
        ])
    func `One folder has one name, however its URL is written`(url: String) throws {
        #expect(try RemotePlace(url).text == "sftp://anna@host.example/srv/shop")
        // The configuration of ssh may lead these to other servers.
        for other in ["sftp://anna@Host.example/srv/shop", "sftp://anna@host.example:22/srv/shop"] {
            #expect(try RemotePlace(other).text == other)
        }
        #expect(try RemotePlace("sftp://[::1]:2222/x").text == "sftp://[::1]:2222/x")
        #expect(try RemotePlace("sftp://host/~/x").text == "sftp://host/~/x")
    }

    @Test(.proves("OPR-126"))
    func `A program that ends before the first request is not waited for`() throws {
        let connection = try Connection(
            ["/bin/sh", "-c", "echo Welcome"], timeLimit: .seconds(600), traffic: Traffic())
        while !connection.isLost { sched_yield() }
        let loss = try #require(throws: SFTPFailure.self) { try connection.begin() }
        #expect("\(loss)".contains("not SFTP") || "\(loss)".contains("login script"), "\(loss)")
    }

    @Test(.proves("OBJ-008"))
    func `A program that cannot start, or ends, says why`() throws {
        let missing = try #require(throws: BackupError.self) {
            try BackupRepository(path: "exec:/nowhere/sftp-server")
        }
        #expect(missing.message.contains("/nowhere/sftp-server"), "\(missing.message)")
        let denied = try #require(throws: BackupError.self) {
            try BackupRepository(
                path: "exec:echo 'u@h: Permission denied (publickey).' >&2; exit 255")
        }
        #expect(denied.message.contains("Permission denied (publickey)"))
        #expect(denied.hint?.contains("asks for no password") == true)
        let talkative = try #require(throws: BackupError.self) {
            try BackupRepository(path: "exec:echo Welcome to this host")
        }
        #expect(talkative.message.contains("not SFTP"), "\(talkative.message)")
        let silent = try #require(throws: BackupError.self) {
            try BackupRepository(path: "exec:true")
        }
        #expect(silent.message.contains("closed the connection"), "\(silent.message)")
    }
}
