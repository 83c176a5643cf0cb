import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// An old copy takes the place of a database and its keyring, or an older backup does.
@Suite struct PutBackTests {
    private let fixture: KeyringFixture
    private let repository: String
    private static let pair = ["", "-keyring"]

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
    }

    private func copy(_ source: String, to target: String) throws {
        for ending in Self.pair {
            try? FileManager.default.removeItem(atPath: target + ending)
            try FileManager.default.copyItem(atPath: source + ending, toPath: target + ending)
        }
    }

    private var snapshot: String { fixture.files.path("snapshot.db") }

    @discardableResult
    private func run(_ words: [String], _ code: String? = nil) throws -> CommandRun {
        let run = try fixture.run(words, code ?? fixture.code)
        #expect(run.exitCode == .done, "\(words): \(run.errors)")
        return run
    }

    @discardableResult
    private func create() throws -> CommandRun {
        try run(["backup", "create", fixture.database, "--to", repository])
    }

    private func export(_ name: String, of database: String? = nil) throws -> String {
        let path = fixture.files.path(name)
        try run(["key", "export", database ?? fixture.database, "--out", path])
        return path
    }

    private func rekey(_ words: String...) throws -> CommandRun {
        try fixture.run(["backup", "rekey", repository] + words, fixture.code)
    }

    private func restores(_ number: Int, _ secret: String) throws -> Bool {
        let out = fixture.files.path("\(UUID()).db")
        let words = ["backup", "restore", repository, "\(number)", out]
        return try fixture.run(words, secret).exitCode == .done
    }

    @Test(
        "a key that was replaced is no new key of backups", .proves("OPR-197"),
        arguments: [true, false])
    func replacedKey(isRestored: Bool) throws {
        try create()
        try copy(fixture.database, to: snapshot)
        try run(["key", "remove", fixture.database, "anna", "--rotate"])
        try create()
        if isRestored {
            let restored = try run(
                ["backup", "restore", repository, "1", fixture.database, "--force"])
            #expect(restored.errors.contains("has a key that was replaced"), "\(restored.errors)")
        } else {
            try copy(snapshot, to: fixture.database)
        }
        try create()
        let unnamed = try rekey()
        #expect(unnamed.exitCode == .failed)
        #expect(unnamed.errors.contains("--new-key-file"), "\(unnamed.errors)")
        let named = try rekey("--new-key-file", export("old.key"))
        #expect(named.exitCode == .failed)
        #expect(named.errors.contains("was replaced by a later one"), "\(named.errors)")
        // What the hints say, typed.
        if isRestored {
            try run(["rotate-key", fixture.database])
        } else {
            try run(["key", "remove", fixture.database, "anna", "--rotate"])
        }
        let code = fixture.files.path("code")
        try run(
            [
                "backup", "create", fixture.database, "--to", repository,
                "--introducer-key-file", code,
            ])
        let done = try rekey("--new-key-file", export("new.key"))
        #expect(done.exitCode == .done, "\(done.errors)")
        for number in 1...8 { #expect(try !restores(number, KeyringFixture.anna)) }
    }

    @Test("a restore in place keeps the keyring of a later key", .proves("OPR-198"))
    func keptKeyring() throws {
        try create()
        try run(["key", "remove", fixture.database, "anna", "--rotate"])
        let today = fixture.files.path("today.db")
        try FileManager.default.copyItem(atPath: fixture.database, toPath: today)
        let later = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
        let restored = try run(["backup", "restore", repository, fixture.database, "--force"])
        let kept = fixture.database + ".replaced"
        #expect(restored.errors.contains("is kept as \(kept)-keyring"), "\(restored.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "-keyring")) == later)
        try FileManager.default.copyItem(atPath: today, toPath: kept)
        try run(["query", kept, "SELECT count(*) FROM album"])
        #expect(try fixture.run(["key", "test", kept], KeyringFixture.anna).exitCode != .done)
        try FileManager.default.copyItem(
            atPath: fixture.database, toPath: fixture.files.path("restored.db"))
        try FileManager.default.removeItem(atPath: fixture.database)
        try FileManager.default.copyItem(atPath: today, toPath: fixture.database)
        let foreign = try fixture.run(["info", fixture.database], fixture.code)
        #expect(foreign.errors.contains("try that one"), "\(foreign.errors)")
        try FileManager.default.removeItem(atPath: fixture.database)
        try FileManager.default.moveItem(
            atPath: fixture.files.path("restored.db"), toPath: fixture.database)
        // Again: nothing is lost, so that nothing more is kept.
        let again = try run(["backup", "restore", repository, fixture.database, "--force"])
        #expect(!again.errors.contains("is kept as"), "\(again.errors)")
        let name = (fixture.database as NSString).lastPathComponent
        let shredded = try CommandRun(["key", "shred", fixture.database, "--confirm", name])
        #expect(shredded.exitCode == .done, "\(shredded.errors)")
        #expect(shredded.output.contains("\(kept)-keyring is deleted"), "\(shredded.output)")
        #expect(!FileManager.default.fileExists(atPath: kept + "-keyring"))
    }

    @Test("a copy in the place of another database keeps the keyring of that", .proves("OPR-198"))
    func copiedOver() throws {
        let other = fixture.files.path("other.db")
        try run(["copy", fixture.database, other])
        try run(["rotate-key", other])
        let copied = try run(["copy", fixture.database, other, "--force"])
        #expect(copied.errors.contains("is kept as \(other).replaced-keyring"), "\(copied.errors)")
    }

    @Test("the new key of one database does not reach another", .proves("OPR-199"))
    func sharedRepository() throws {
        let (shop, wages) = (fixture.files.path("one.db"), fixture.files.path("wages.db"))
        let server = ["--key-file", fixture.files.keyFile]
        func run(_ words: [String], _ secret: [String]? = nil) throws -> CommandRun {
            try CommandRun(words + (secret ?? server))
        }
        func succeed(_ words: [String]) throws {
            let run = try run(words)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
        for database in [shop, wages] {
            try succeed(["encrypt", fixture.files.plain, database, "--keyring"])
        }
        try succeed(
            ["key", "add", shop, "--recipient", KeyringFixture.recipient, "--name", "ops"])
        let code = fixture.files.path("wages.code")
        try succeed(["key", "recovery", wages, "--out", code])
        func create(_ database: String, _ words: String...) throws {
            try succeed(["backup", "create", database, "--to", repository] + words)
        }
        try create(shop)
        try create(wages, "--another-database")
        // Neither follows from the other: the new key has to be named.
        try copy(shop, to: snapshot)
        try succeed(["rotate-key", shop])
        try create(shop)
        try copy(snapshot, to: shop)
        try succeed(["rotate-key", shop])
        try create(shop, "--introducer-key-file", fixture.files.keyFile)
        let unknown = fixture.files.path("unknown.key")
        #expect(try CommandRun(["keygen", unknown]).exitCode == .done)
        let refused = try run(["backup", "rekey", repository, "--new-key-file", unknown])
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("keyrings of 2 databases"), "\(refused.errors)")
        let new = fixture.files.path("new.key")
        try succeed(["key", "export", shop, "--out", new])
        try succeed(["backup", "rekey", repository, "--new-key-file", new])
        try create(wages)
        let identity = fixture.files.path("ops.txt")
        try KeyringFixture.identity.write(toFile: identity, atomically: true, encoding: .utf8)
        var (byIdentity, byCode) = (0, 0)
        for number in 1...9 {
            for (secret, isIdentity) in [(identity, true), (code, false)] {
                let out = fixture.files.path("\(UUID()).db")
                let words = ["backup", "restore", repository, "\(number)", out]
                guard try run(words, ["--key-file", secret]).exitCode == .done else { continue }
                if isIdentity { byIdentity += 1 } else { byCode += 1 }
            }
        }
        #expect(byIdentity == 3)
        #expect(byCode == 2)
    }

    @Test(
        "an old copy with the present key is named, and gives backups no key",
        .proves("OPR-200"))
    func sameKey() throws {
        try create()
        try copy(fixture.database, to: snapshot)
        try run(["key", "remove", fixture.database, "anna"])
        try create()
        try copy(snapshot, to: fixture.database)
        let created = try create()
        #expect(created.errors.contains("the slot anna"), "\(created.errors)")
        try run(["rotate-key", fixture.database])
        let rotated = try create()
        #expect(rotated.errors.contains("the slot anna"), "\(rotated.errors)")
        let refused = try rekey()
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("the slot anna opens"), "\(refused.errors)")
        // What the hint says, typed.
        try run(["key", "remove", fixture.database, "anna", "--rotate"])
        let clean = try create()
        #expect(!clean.errors.contains("anna"), "\(clean.errors)")
        let done = try rekey()
        #expect(done.exitCode == .done, "\(done.errors)")
        for number in 1...9 { #expect(try !restores(number, KeyringFixture.anna)) }
    }

    @Test("an old copy that lacks a slot is named", .proves("OPR-200"))
    func lostCode() throws {
        try create()
        try copy(fixture.database, to: snapshot)
        let late = fixture.files.path("late.key")
        #expect(try CommandRun(["keygen", late]).exitCode == .done)
        let add = ["key", "add", fixture.database, "--key-file-slot", late, "--name", "late"]
        try run(add)
        #expect(try !create().errors.contains("old copy"))
        try copy(snapshot, to: fixture.database)
        for step in [[], ["rotate-key", fixture.database]] {
            if !step.isEmpty { try run(step) }
            let created = try create()
            #expect(created.errors.contains("it lacks the slots late"), "\(created.errors)")
        }
        // What it says, done.
        try run(add)
        let clean = try create()
        #expect(!clean.errors.contains("old copy"), "\(clean.errors)")
    }
}
