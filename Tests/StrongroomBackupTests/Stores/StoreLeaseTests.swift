import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Who writes at the same time as others, where no lock of the system reaches.
@Suite(.enabled(if: StoreKind.hasServer, "openssh-sftp-server is not installed"))
struct StoreLeaseTests {
    private let fixture: StoreFixture
    private let key: CipherKey

    init() throws {
        fixture = try StoreFixture(.sftp)
        key = try BackupFixture.databaseKey
        try fixture.repository.backUp(fixture.base.file)
    }

    private func leave(_ kind: String, host: String, process: Int32) throws -> String {
        let path = fixture.folder + "/leases/" + kind + ".00000000000000aa"
        let processes = try FileSystem.system.linkTarget("/proc/self/ns/pid")
        try "strongroom lease\n\(host)\n\(processes)\n\(process)\n1\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, 255)
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test(.proves("OBJ-005"))
    func `Runs at the same time wait for each other, in the store and in its folder`() throws {
        let urls = [
            fixture.repository.path, fixture.folder,
            try StoreKind.sftp.url(of: fixture.folder) + " ",
        ]
        let failures = Locked<[String]>([])
        let next = Locked(0)
        let file = fixture.base.file
        SystemThread.share(among: 3) {
            let url = urls[
                next.withLock { value in
                    value += 1
                    return value - 1
                }]
            do {
                for _ in 1...2 { try BackupRepository(path: url).backUp(file) }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try fixture.local().backups().map(\.number) == Array(1...7))
        #expect(try fixture.local().verify(key: .database(key)).isSound)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/leases") == [])
    }

    @Test(.proves("OBJ-005"))
    func `A lease of a process of this host that has ended counts for nothing`() throws {
        let process = try Subprocess(starting: "true")
        _ = try process.wait()
        let path = try leave("lock.alone", host: Self.host, process: process.processIdentifier)
        #expect(try fixture.repository.backUp(fixture.base.file).number == 2)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(.proves("OBJ-005"))
    func `A lease that another host does not renew ends, whatever its clock says`() throws {
        let path = try leave("lock.alone", host: "elsewhere", process: 1)
        // Long ago, and long after: neither counts.
        for date in [Date.distantPast, Date(timeIntervalSinceNow: 1e8)] {
            try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        var repository = fixture.repository
        repository.fileSystem.leaseLifetime = .milliseconds(400)
        let start = ContinuousClock.now
        #expect(try repository.backUp(fixture.base.file).number == 2)
        #expect(ContinuousClock.now - start > .milliseconds(400))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(.proves("OBJ-005"))
    func `A reader elsewhere keeps packs from being removed, and not from being written`() throws {
        let path = try leave("lock.readers.shared", host: "elsewhere", process: 1)
        #expect(try fixture.repository.backUp(fixture.base.file, full: true).number == 2)
        struct Waiting: Error {}
        #expect(throws: Waiting.self) {
            try fixture.repository.prune(keeping: RetentionPolicy(last: 1), key: key) { progress in
                if progress.phase == .waiting { throw Waiting() }
            }
        }
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try fixture.local().verify(key: .database(key)).isSound)
    }

    @Test(.proves("OBJ-005"))
    func `A long run renews its lease, so that others go on waiting for it`() throws {
        var repository = fixture.repository
        repository.fileSystem.leaseLifetime = .milliseconds(400)
        let isDone = DispatchSemaphore(value: 0)
        let other = Locked<Result<Backup, any Error>?>(nil)
        let file = fixture.base.file
        let patient = repository
        var thread: SystemThread?
        try repository.backUp(file, full: true) { progress in
            guard progress.phase == .finishing, thread == nil else { return }
            thread = SystemThread {
                let result = Result { try patient.backUp(file) }
                other.withLock { $0 = result }
                isDone.signal()
            }
            // Longer than a lease that nobody renews.
            #expect(isDone.wait(timeout: .now() + .milliseconds(1500)) == .timedOut)
        }
        thread?.detach()
        #expect(isDone.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(try other.withLock { $0 }?.get().number == 3)
    }
}
