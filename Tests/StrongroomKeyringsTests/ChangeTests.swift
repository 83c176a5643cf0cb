import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

@Suite("Changing a keyring")
struct ChangeTests {
    let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
        try fixture.create()
    }

    @discardableResult
    private func change(
        by unlocker: Unlocker? = nil, _ body: (inout KeyringChange) throws -> Void
    ) throws -> Keyring {
        try fixture.keyring().change(unlockingWith: unlocker ?? fixture.me, body)
    }

    private func addAnna(_ change: inout KeyringChange) throws {
        try change.addPassphrase("anna's", name: "anna", work: KeyringFixture.work)
    }

    @Test("Passphrases that take too long together are refused", .proves("KSL-009"))
    func tooMuchWork() throws {
        let error = #expect(throws: KeyringError.self) {
            try change { change in
                for number in 0..<9 {
                    try change.addPassphrase("\(number)", name: "\(number)", work: 14)
                    let index = change.slots.firstIndex { $0.name == "\(number)" }
                    change.slots[try #require(index)].kdf?.n = 1 << 20
                }
            }
        }
        #expect(error?.code == .failed)
    }

    @Test("A slot is added while others write, and the database is not touched", .proves("KSL-020"))
    func addWhileInUse() throws {
        let pool = try fixture.pool(fixture.me)
        let revision = try fixture.keyring().revision
        let before =
            try FileManager.default.attributesOfItem(atPath: fixture.path)[
                .systemFileNumber] as? Int
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO note VALUES ('in a transaction')")
            let keyring = try change(addAnna)
            #expect(keyring.revision == revision + 1)
            try db.execute(sql: "COMMIT")
        }
        try pool.close()
        #expect(try fixture.note(.passphrase("anna's")) != nil)
        #expect(try fixture.note(fixture.me) != nil)
        let after =
            try FileManager.default.attributesOfItem(atPath: fixture.path)[
                .systemFileNumber] as? Int
        #expect(before == after)
        let events = try fixture.keyring().events
        #expect(events.map(\.what) == ["init", "add", "create", "add"])
        #expect(events.allSatisfy { !$0.user.isEmpty && !$0.host.isEmpty })
    }

    @Test("A passphrase is changed in one step; the old one opens nothing", .proves("KSL-025"))
    func changedPassphrase() throws {
        let revision = try fixture.keyring().revision
        try change { change in
            try change.remove("me")
            try change.addPassphrase("a new one", name: "me", work: KeyringFixture.work)
        }
        #expect(code { _ = try fixture.note(fixture.me) } == .wrongKey)
        #expect(try fixture.note(.passphrase("a new one")) != nil)
        let keyring = try fixture.keyring()
        #expect(keyring.revision == revision + 1)
        #expect(keyring.events.map(\.what) == ["init", "add", "create", "remove", "add"])
    }

    @Test("Unlocking writes nothing", .proves("KSL-029"))
    func unlockingWritesNothing() throws {
        let bytes = try fixture.bytes()
        _ = try fixture.note(fixture.me)
        _ = try? fixture.note(.passphrase("wrong"))
        _ = try fixture.keyring().unlocked(with: fixture.me)
        #expect(try fixture.bytes() == bytes)
    }

    @Test("The last 100 changes stay", .proves("KSL-029"))
    func events() throws {
        for number in 0..<40 {
            try change { change in
                for part in 0..<3 {
                    try change.rename(
                        number + part == 0 ? "me" : "me \((number * 3 + part) - 1)",
                        to: "me \(number * 3 + part)")
                }
            }
        }
        let events = try fixture.keyring().events
        #expect(events.count == 100 && events.allSatisfy { $0.what == "rename" })
    }

    @Test(
        "The last slot stays, and what was not understood changes nothing",
        .proves("KSL-012", "KSL-024"))
    func refused() throws {
        let bytes = try fixture.bytes()
        let raw = try CipherKey.generated()
        let refused: [(KeyringError.Code, (inout KeyringChange) throws -> Void)] = [
            (.lastSlot, { try $0.remove("me") }),
            (.unknownSlot, { try $0.remove("nobody") }),
            (.unknownSlot, { try $0.rename("nobody", to: "somebody") }),
            (.invalid, { try $0.rename("me", to: "") }),
            (.invalid, { try $0.rename("me", to: String(repeating: "a", count: 65)) }),
            (.invalid, { try $0.rename("me", to: "a\nb") }),
            (.invalid, { try $0.rename("me", to: "a\u{202e}b") }),
            (.invalid, { try $0.addPassphrase("x", name: "me", work: 14) }),
            (.invalid, { try $0.addPassphrase("", name: "empty", work: 14) }),
            (.invalid, { try $0.addPassphrase("x", name: "light", work: 13) }),
            (.invalid, { try $0.addPassphrase("x", name: "heavy", work: 21) }),
            (.invalid, { try $0.addPassphrase(raw, name: "raw", work: 14) }),
            (
                .invalid,
                {
                    try $0.addPassphrase(
                        "HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND", name: "code", work: 14)
                }
            ),
            (.invalid, { try $0.addRecipient("age1nobody", name: "nobody") }),
            (.invalid, { try $0.addRecipient("ssh-ed25519 AAAAC3", name: "ssh") }),
            (.invalid, { try $0.addKeyFile(CipherKey(passphrase: "x"), name: "file") }),
            (.invalid, { try $0.addCommand(name: "empty") { _ in Data() } }),
            (.invalid, { try $0.addCommand(name: "much") { _ in Data(count: 70_000) } }),
        ]
        for (index, (expected, body)) in refused.enumerated() {
            #expect(code { try change(body) } == expected, "\(index)")
        }
        #expect(try fixture.bytes() == bytes)
    }

    @Test("SSH keys are refused, with what to do instead", .proves("KSL-053"))
    func sshKeys() throws {
        let error = #expect(throws: KeyringError.self) {
            try change { try $0.addRecipient("ssh-ed25519 AAAAC3NzaC1", name: "ssh") }
        }
        #expect(error?.hint?.contains("age-keygen") == true)
        let key = try CipherKey(passphrase: "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
        let unlocking = #expect(throws: KeyringError.self) {
            try fixture.keyring().unlock(with: .parsing(key))
        }
        #expect(unlocking?.message.contains("SSH") == true)
    }

    @Test("Slots: 64, and no more", .proves("KSL-012"))
    func manySlots() throws {
        try change { change in
            for number in 2...64 {
                try change.addRecipient(AgeIdentity.generated().recipient, name: "\(number)")
            }
        }
        let ids = try fixture.keyring().slots.map(\.id)
        #expect(ids.count == 64 && Set(ids).count == 64)
        #expect(
            code {
                try change { try $0.addRecipient(AgeIdentity.generated().recipient, name: "65") }
            } == .invalid)
        #expect(try fixture.note(fixture.me) != nil)
    }

    @Test("Two at once: both changes are made", .proves("KSL-023"))
    func twoAtOnce() async throws {
        let fixture = fixture
        let revision = try fixture.keyring().revision
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try fixture.keyring().change(unlockingWith: fixture.me) {
                        try $0.addRecipient(AgeIdentity.generated().recipient, name: "\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let keyring = try fixture.keyring()
        #expect(keyring.revision == revision + 6)
        #expect(Set(keyring.slots.map(\.name)) == ["me", "0", "1", "2", "3", "4", "5"])
    }

    @Test(
        "Everything lost but the code: one change makes the house whole",
        .proves("RCV-009", "RCV-004"))
    func recovery() throws {
        let code = try RecoveryCode.generated()
        try change { try $0.addRecoveryCode(code) }
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        let typed = Unlocker.recoveryCode(try #require(RecoveryCode(code.text.lowercased())))
        try change(by: typed) { change in
            try change.remove("me")
            try change.addPassphrase("afterwards", name: "me", work: KeyringFixture.work)
        }
        try fixture.keyring().rotate(unlockingWith: .passphrase("afterwards"))
        #expect(try fixture.note(.passphrase("afterwards")) != nil)
        #expect(try fixture.note(typed) != nil)
        #expect(self.code { _ = try fixture.note(fixture.me) } == .wrongKey)
    }

    private func code(_ body: () throws -> Void) -> KeyringError.Code? {
        StrongroomKeyringsTests.code(body)
    }

    @Test(
        "A keyring has the mode and the owner of the database, and keeps its own",
        .proves("KSL-022"))
    func mode() throws {
        #expect(chmod(fixture.path, 0o640) == 0)
        let other = try KeyringFixture()
        let queue = try DatabaseQueue(path: other.path, key: CipherKey(passphrase: "old"))
        try queue.write { try $0.execute(sql: "CREATE TABLE note AS SELECT 'x' AS text") }
        try queue.close()
        #expect(chmod(other.path, 0o640) == 0)
        let file = DatabaseFile(path: other.path, key: try CipherKey(passphrase: "old"))
        try Keyring.create(for: file) {
            try $0.addPassphrase("new", name: "me", work: KeyringFixture.work)
        }
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(other.keyringPath) == 0o640)
        #expect(try mode(other.keyringPath + ".lock") == 0o640)
        #expect(chmod(other.keyringPath, 0o600) == 0)
        try other.keyring().change(unlockingWith: .passphrase("new")) {
            try $0.rename("me", to: "i")
        }
        #expect(try mode(other.keyringPath) == 0o600)
    }

    @Test("Each failing call leaves the old keyring", .proves("KSL-022"))
    func failingCalls() throws {
        let bytes = try fixture.bytes()
        let failures: [(String, (inout FileSystem) -> Void)] = [
            (
                "create",
                {
                    $0.inFolder.create = { _, name throws(SystemError) in
                        throw .full("create", name)
                    }
                }
            ),
            ("write", { $0.write = { _, _ throws(SystemError) in throw .full("write", "") } }),
            ("sync", { $0.synchronize = { _ throws(SystemError) in throw .full("fsync", "") } }),
            (
                "rename",
                {
                    $0.inFolder.rename = { _, name, _, _ throws(SystemError) in
                        throw .full("rename", name)
                    }
                }
            ),
            ("mode", { $0.changeMode = { _, _ throws(SystemError) in throw .full("fchmod", "") } }),
        ]
        for (name, fail) in failures {
            var file = try KeyringFile(ofDatabase: fixture.path)
            fail(&file.fileSystem)
            let keyring = Keyring(try file.read(), in: file)
            let error = #expect(throws: KeyringError.self, "\(name)") {
                try keyring.change(unlockingWith: fixture.me, addAnna)
            }
            #expect(error?.code == .diskFull, "\(name)")
            #expect(try fixture.bytes() == bytes)
            let left = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
            #expect(!left.contains { $0.contains(".strongroom-") }, "\(name): \(left)")
        }
        // After the rename, nothing is taken back.
        var file = try KeyringFile(ofDatabase: fixture.path)
        file.fileSystem.inFolder.synchronize = { _ throws(SystemError) in throw .full("fsync", "") }
        #expect(throws: KeyringError.self) {
            try Keyring(file.read(), in: file).change(unlockingWith: fixture.me, addAnna)
        }
        #expect(try fixture.note(.passphrase("anna's")) != nil)
    }
}

extension SystemError {
    static func full(_ call: String, _ path: String) -> SystemError {
        SystemError(call, path, number: ENOSPC)
    }
}
