import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Somebody was removed; then a copy of before, with its keyring, takes the place of the database.
@Suite struct ReturnedSlotTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = fixture.files.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
        try create()
        let pair = ["", "-keyring"]
        for ending in pair {
            try FileManager.default.copyItem(
                atPath: fixture.database + ending, toPath: fixture.files.path("copy.db" + ending))
        }
        try run(["key", "remove", fixture.database, "anna", "--rotate"])
        try create()
        for ending in pair {
            try FileManager.default.removeItem(atPath: fixture.database + ending)
            try FileManager.default.copyItem(
                atPath: fixture.files.path("copy.db" + ending), toPath: fixture.database + ending)
        }
    }

    @discardableResult
    private func run(_ words: [String], introducer: Bool = false) throws -> CommandRun {
        let more = introducer ? ["--introducer-key-file", fixture.files.path("code")] : []
        let run = try fixture.run(words + more, fixture.code)
        #expect(run.exitCode == .done, "\(words): \(run.errors)")
        return run
    }

    @discardableResult
    private func create(introducer: Bool = false) throws -> CommandRun {
        try run(
            ["backup", "create", fixture.database, "--to", repository], introducer: introducer)
    }

    private func rekey(_ new: String) throws -> CommandRun {
        try fixture.run(["backup", "rekey", repository, "--new-key-file", new], fixture.code)
    }

    private func export(_ name: String) throws -> String {
        let path = fixture.files.path(name)
        try run(["key", "export", fixture.database, "--out", path])
        return path
    }

    @Test("a backup says that the slot is back, and how it goes", .proves("OPR-161"))
    func notice() throws {
        let created = try create(introducer: false)
        #expect(created.errors.contains("the slot anna"), "\(created.errors)")
        #expect(created.errors.contains("key remove"), "\(created.errors)")
    }

    @Test("backups do not get a key that it opens", .proves("OPR-161"))
    func leak() throws {
        try run(["rotate-key", fixture.database])
        let created = try create(introducer: true)
        #expect(created.errors.contains("the slot anna"), "\(created.errors)")
        let refused = try rekey(export("new.key"))
        #expect(refused.exitCode == .failed, "\(refused.errors)")
        #expect(refused.errors.contains("the slot anna"), "\(refused.errors)")
        #expect(refused.errors.contains("key remove"), "\(refused.errors)")
        // What the hint says, typed.
        try run(["key", "remove", fixture.database, "anna", "--rotate"])
        let clean = try create()
        #expect(!clean.errors.contains("anna"), "\(clean.errors)")
        let done = try rekey(export("newer.key"))
        #expect(done.exitCode == .done, "\(done.errors)")
        try create()
        for number in 1...12 {
            let out = fixture.files.path("anna-\(number).db")
            let words = ["backup", "restore", repository, "\(number)", out]
            #expect(try fixture.run(words, KeyringFixture.anna).exitCode != .done)
        }
        try run(["backup", "restore", repository, "latest", fixture.files.path("mine.db")])
    }
}
