import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// The file layer fails at one step, be it for want of room or for a broken disk.
@Suite("A rotation whose file system fails")
struct RotationFailureTests {
    enum Step: String, CaseIterable, Sendable {
        case create, lock, firstWrite, lastWrite, shortWrite, firstSync, attributes, owner, chmod
        case lastSync, temporaryLog, staleLog, rename

        /// Whether it is a write after which there were others: in a small file there is one.
        var isLateWrite: Bool { self == .lastWrite || self == .shortWrite }

        /// Makes the step fail, with calls counted where several are alike.
        func fail(_ fileSystem: inout FileSystem, number: Int32) {
            let error = SystemError("injected", rawValue, number: number)
            let count = Locked(0)
            @Sendable func isTurn(_ turn: Int) -> Bool {
                count.withLock {
                    $0 += 1
                    return $0 >= turn
                }
            }
            let system = FileSystem.system
            switch self {
            case .create:
                fileSystem.inFolder.create = { (_, _) throws(SystemError) in throw error }
            case .lock: fileSystem.lock = { (_) throws(SystemError) in throw error }
            case .firstWrite: fileSystem.writeAt = { (_, _, _) throws(SystemError) in throw error }
            case .lastWrite:
                fileSystem.writeAt = { (descriptor, bytes, offset) throws(SystemError) in
                    if isTurn(3) { throw error }
                    return try system.writeAt(descriptor, bytes, offset)
                }
            case .shortWrite:
                // As at the end of a disk: some bytes still find room.
                fileSystem.writeAt = { (descriptor, bytes, offset) throws(SystemError) in
                    if isTurn(3) { throw error }
                    let some = UnsafeRawBufferPointer(rebasing: bytes[..<min(5000, bytes.count)])
                    return try system.writeAt(descriptor, some, offset)
                }
            case .firstSync: fileSystem.synchronize = { (_) throws(SystemError) in throw error }
            case .lastSync:
                fileSystem.synchronize = { (descriptor) throws(SystemError) in
                    if isTurn(2) { throw error }
                    try system.synchronize(descriptor)
                }
            case .attributes:
                fileSystem.copyAttributes = { (_, _) throws(SystemError) in throw error }
            case .owner:
                fileSystem.descriptorStatus = { (descriptor) throws(SystemError) in
                    var status = try system.descriptorStatus(descriptor)
                    status.owner += 1
                    return status
                }
                fileSystem.changeOwner = { (_, _, _) throws(SystemError) in throw error }
            case .chmod: fileSystem.changeMode = { (_, _) throws(SystemError) in throw error }
            case .temporaryLog, .staleLog:
                let isTemporary = self == .temporaryLog
                fileSystem.inFolder.remove = { (folder, name) throws(SystemError) in
                    let isMeant = name.contains(".strongroom-") == isTemporary
                    if isMeant, name.hasSuffix("-wal") { throw error }
                    try system.inFolder.remove(folder, name)
                }
            case .rename:
                fileSystem.inFolder.rename = { (_, _, _, _) throws(SystemError) in throw error }
            }
        }
    }

    @Test("leaves the old file as it was, and nothing beside it", arguments: Step.allCases)
    func failure(step: Step) throws {
        for (number, code) in [
            (ENOSPC, DatabaseFileError.Code.diskFull), (EIO, .failed),
        ] {
            var fixture = try RotationFixture(wal: true, rowByteCount: step.isLateWrite ? 1500 : 50)
            let before = try fixture.content()
            step.fail(&fixture.file.fileSystem, number: number)
            let error = #expect(throws: DatabaseFileError.self) {
                try fixture.file.rotateKey(to: fixture.newKey)
            }
            #expect(error?.code == code)
            // Just before the rename the file leaves its log for a moment, which page 1 says.
            if ![.temporaryLog, .staleLog, .rename].contains(step) {
                #expect(try fixture.content() == before)
            }
            #expect(try fixture.folder.names() == ["app.db"])
            let shell = fixture.shell(RotationFixture.oldText)
            #expect(try shell.cell("PRAGMA journal_mode") == "wal")
            #expect(try shell.cell("SELECT count(*) FROM t") == 2000)
            // What failed has left nothing that would stand in the way of the next one.
            fixture.file.fileSystem = .system
            try fixture.file.rotateKey(to: fixture.newKey)
            let newShell = fixture.shell(RotationFixture.newText)
            #expect(try newShell.cell("SELECT count(*) FROM t") == 2000)
        }
    }

    @Test("says so when only the directory could not be brought to the disk")
    func directory() throws {
        var fixture = try RotationFixture()
        fixture.file.fileSystem.inFolder.synchronize = { (_) throws(SystemError) in
            throw SystemError("fsync", "", number: EIO)
        }
        let error = #expect(throws: DatabaseFileError.self) {
            try fixture.file.rotateKey(to: fixture.newKey)
        }
        #expect(error?.message.contains("may not survive a power failure") == true)
        let shell = fixture.shell(RotationFixture.newText)
        #expect(try shell.cell("SELECT count(*) FROM t") == 2000)
        #expect(try fixture.folder.names() == ["app.db"])
    }

    /// A copy that is not what was meant must not get the name, whatever went wrong with it.
    @Test("throws a copy away that SQLCipher does not find whole", arguments: [0, 100, 9 * 4096])
    func unverified(offset: Int) throws {
        var fixture = try RotationFixture()
        let before = try fixture.content()
        let system = FileSystem.system
        fixture.file.fileSystem.writeAt = { (descriptor, bytes, start) throws(SystemError) in
            var copy = Array(bytes)
            copy[offset] ^= 1
            let written = copy
            do {
                return try written.withUnsafeBytes { try system.writeAt(descriptor, $0, start) }
            } catch {
                throw error as? SystemError ?? SystemError("pwrite", "", number: EIO)
            }
        }
        let error = #expect(throws: DatabaseFileError.self) {
            try fixture.file.rotateKey(to: fixture.newKey)
        }
        #expect(error?.message.contains("could not be verified") == true)
        #expect(try fixture.content() == before)
        #expect(try fixture.folder.names() == ["app.db"])
    }
}
