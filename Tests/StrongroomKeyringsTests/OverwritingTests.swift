import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// What becomes of the blocks of files that were replaced, as somebody sees it who has them still open.
@Suite struct OverwritingTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
        try fixture.create()
    }

    /// The type of the file system, by the word of another program.
    private func systemName() throws -> String {
        let result = try Subprocess.run(
            "/usr/bin/findmnt", ["-n", "-o", "FSTYPE", "-T", fixture.folder.path])
        return result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let inPlace = ["ext2", "ext3", "ext4", "xfs", "tmpfs", "vfat", "exfat", "jfs"]

    @Test("A keyring that is replaced is overwritten", .proves("KSL-071"))
    func keyrings() throws {
        let old = try FileHandle(forReadingFrom: URL(filePath: fixture.keyringPath))
        let before = try fixture.bytes()
        try fixture.keyring().change(unlockingWith: fixture.me) {
            try $0.addPassphrase("another", name: "other", work: KeyringFixture.work)
        }
        let left = [UInt8](try old.readToEnd() ?? Data())
        if try Self.inPlace.contains(systemName()) {
            #expect(left == [UInt8](repeating: 0, count: before.count))
        } else {
            #expect(left == before)
        }
    }

    @Test("A keyring that has another name keeps its bytes", .proves("KSL-071"))
    func hardLinks() throws {
        let copy = fixture.folder.path(of: "copy-of-keyring")
        try FileManager.default.linkItem(atPath: fixture.keyringPath, toPath: copy)
        let before = try fixture.bytes()
        try fixture.keyring().vouch(unlockingWith: fixture.me)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: copy))) == before)
    }

    @Test("Readers get the old keyring or the new one while it is replaced", .proves("KSL-071"))
    func readers() async throws {
        let path = fixture.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var last = 0
                    while last < 60 {
                        let revision = try Keyring(of: path).revision
                        #expect(revision >= last)
                        last = revision
                    }
                }
            }
            let identity = try Unlocker.identity(
                "AGE-SECRET-KEY-1LF8DQCNKVMHYNYY6MJSZQ2GW7WE7X2RU66GJVPCJVV5MYAQEC4JS4V5UUS")
            try fixture.keyring().change(unlockingWith: fixture.me) {
                try $0.addRecipient(
                    "age109l9su08kxnsrmz57hr79ucc5dv4dkru5499kmme22zc6h6pjg7q44s672", name: "ops")
            }
            while try fixture.keyring().revision < 60 {
                try fixture.keyring().vouch(unlockingWith: identity)
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "The old file of a rotation is overwritten, after the new one has its name",
        .proves("KSL-070"))
    func rotation() throws {
        let key = try fixture.keyring().unlock(with: fixture.me)
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: fixture.path)[.size] as? Int)
        try FileManager.default.removeItem(atPath: fixture.keyringPath)
        let closed = Closed()
        var file = DatabaseFile(path: fixture.path, key: key)
        file.overwritesOldFile = true
        file.fileSystem.close = { descriptor in
            closed.look(at: descriptor)
            FileSystem.system.close(descriptor)
        }
        let report = try file.rotateKey(to: try .generated())
        if try Self.inPlace.contains(systemName()) {
            #expect(report.oldBlocks == .overwritten)
            #expect(closed.zeroed.contains(size))
        } else {
            #expect(report.oldBlocks != .overwritten && report.oldBlocks != nil)
        }
        #expect(try DatabaseFile(path: fixture.path, key: key).rotateKeyFails())
    }

    /// The sizes of files that hold zeros alone when they are closed.
    private final class Closed: @unchecked Sendable {
        // Safety: one thread closes the old file, after all others have ended.
        private(set) var zeroed: [Int] = []

        func look(at descriptor: Int32) {
            guard let status = try? FileSystem.system.descriptorStatus(descriptor),
                status.kind == .file, status.linkCount == 0
            else { return }
            var bytes = [UInt8](repeating: 1, count: Int(status.byteCount))
            let count = bytes.withUnsafeMutableBytes {
                (try? FileSystem.system.readAll(descriptor, $0, at: 0)) ?? 0
            }
            if count == bytes.count, bytes.allSatisfy({ $0 == 0 }) { zeroed.append(count) }
        }
    }
}

extension DatabaseFile {
    fileprivate func rotateKeyFails() throws -> Bool {
        do {
            try rotateKey(to: try .generated())
            return false
        } catch let error as DatabaseFileError {
            return error.code == .wrongKey
        }
    }
}
