import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomKeyrings

@Suite("Opening a database whose rotation ends meanwhile")
struct RotationMeanwhileTests {
    private final class Looks: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// A keyring with both keys, the file with the old one at its place, and the file with the new one elsewhere.
    private func interrupted(_ fixture: KeyringFixture, _ new: String) throws {
        try fixture.create()
        let old = fixture.folder.path(of: "old.db")
        let manager = FileManager.default
        try manager.copyItem(atPath: fixture.path, toPath: old)
        var both: [UInt8] = []
        let file = try fixture.keyring().file
        try file.withLock {
            let open = try fixture.keyring().open(with: fixture.me)
            _ = try KeyringRotation(open, file).run { database, _, new in
                both = try fixture.bytes()
                try database.rotateKey(to: new)
            }
        }
        try manager.moveItem(atPath: fixture.path, toPath: new)
        try manager.moveItem(atPath: old, toPath: fixture.path)
        try fixture.put(both)
    }

    /// A keyring that looks at the files by calls which put the new file in place before one of them.
    private func keyring(
        _ fixture: KeyringFixture, replacing new: String, before number: Int
    ) throws -> Keyring {
        var file = try KeyringFile(ofDatabase: fixture.path)
        let text = try file.read()
        let looks = Looks()
        file.fileSystem.status = { [path = file.database] name throws(SystemError) in
            if name == path, looks.next() == number { rename(new, path) }
            return try FileSystem.system.status(name)
        }
        return Keyring(text, in: file)
    }

    @Test("finds its key, at whichever look the file is replaced", .proves("OPR-180"))
    func replaced() throws {
        var replacedCount = 0
        for number in 1...12 {
            let fixture = try KeyringFixture()
            let new = fixture.folder.path(of: "new.db")
            try interrupted(fixture, new)
            let keyring = try keyring(fixture, replacing: new, before: number)
            let key = try keyring.unlock(with: fixture.me)
            #expect(
                try fixture.noteInShell(key) == .text("a secret that only keys show"), "\(number)")
            if !FileManager.default.fileExists(atPath: new) { replacedCount += 1 }
        }
        // Before, between and after the trials of both keys.
        #expect(replacedCount >= 4)
    }

    @Test("still says that a file is damaged which nobody replaces", .proves("OPR-180"))
    func damaged() throws {
        let fixture = try KeyringFixture()
        try interrupted(fixture, fixture.folder.path(of: "new.db"))
        var bytes = try Data(contentsOf: URL(filePath: fixture.path))
        bytes[100] ^= 1
        try bytes.write(to: URL(filePath: fixture.path))
        let error = #expect(throws: KeyringError.self) {
            try fixture.keyring().unlock(with: fixture.me)
        }
        #expect(error?.code == .damaged)
    }
}
