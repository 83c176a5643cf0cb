import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Root may do everything, so these run in a process of their own, as nobody.
@Suite("Without permission")
struct UnprivilegedTests {
    static let keyText = "x'" + String(repeating: "01", count: 32) + "'"

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try FileSystem.system.changeMode(folder.path, 0o755)
    }

    private func create(wal: Bool = false, mode: UInt32 = 0o644) throws -> String {
        let path = folder.path(of: "app.db")
        try SQLCipherShell(path: path, key: .content(Self.keyText)).create(
            "CREATE TABLE t (a); PRAGMA journal_mode = \(wal ? "WAL" : "DELETE");")
        try FileSystem.system.changeMode(path, mode)
        if geteuid() != 0 { try FileSystem.system.changeMode(folder.path, 0o555) }
        return path
    }

    /// The file, for a process that has given up being root.
    static func fileAsNobody(_ path: String) throws -> DatabaseFile {
        if geteuid() == 0 { try #require(setgid(65534) == 0 && setuid(65534) == 0) }
        return DatabaseFile(path: path, key: try CipherKey(rawKey: Data(repeating: 1, count: 32)))
    }

    static func expect(_ code: DatabaseFileError.Code, _ body: () throws -> Void) {
        let error = #expect(throws: DatabaseFileError.self) { try body() }
        #expect(error?.code == code)
        #expect(error?.hint?.isEmpty == false)
    }

    @Test("a file that may not be read says so")
    func unreadable() async throws {
        let path = try create(mode: 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let file = try UnprivilegedTests.fileAsNobody(path)
            UnprivilegedTests.expect(.permission) { _ = try file.open() }
            UnprivilegedTests.expect(.permission) { _ = try file.check() }
        }
    }

    @Test("a file that may be read only can be examined and copied, not rotated")
    func readable() async throws {
        let path = try create()
        let other = try TemporaryDirectory()
        try FileSystem.system.changeMode(other.path, 0o777)
        await #expect(processExitsWith: .success) {
            [path = path as String, out = other.path(of: "out.db") as String] in
            let file = try UnprivilegedTests.fileAsNobody(path)
            #expect(try file.check().isSound)
            #expect(try file.transfer(to: DatabaseFile(path: out, key: file.key)).rowCount == 0)
            UnprivilegedTests.expect(.permission) { try file.rotateKey(to: .generated()) }
            UnprivilegedTests.expect(.permission) {
                try DatabaseFile(path: out, key: file.key).transfer(
                    to: DatabaseFile(path: path + ".new", key: file.key))
            }
        }
        #expect(try folder.names() == ["app.db"])
        #expect(try other.names() == ["out.db"])
    }

    @Test("a WAL database whose log may not be created says so", .proves("IRQ-009"))
    func log() async throws {
        let path = try create(wal: true)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let file = try UnprivilegedTests.fileAsNobody(path)
            UnprivilegedTests.expect(.readOnly) { _ = try file.check() }
            var configuration = Configuration()
            configuration.readonly = true
            UnprivilegedTests.expect(.readOnly) { _ = try file.open(configuration) }
        }
    }
}
