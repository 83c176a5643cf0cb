import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Connections that are cut, and servers that answer wrongly, in the middle of a backup.
@Suite(.serialized, .enabled(if: StoreKind.hasServer, "openssh-sftp-server is not installed"))
struct StoreFaultTests {
    /// Faults that a run survives by itself: it connects again.
    private static let survived = [
        "cut-before-request", "cut-within-request", "cut-before-answer", "cut-within-length",
        "cut-within-answer", "cut-after-answer", "write-answer-lost", "open-answer-lost",
        "rename-answer-lost", "close-answer-lost", "data-short", "failure-to-close", "slow",
    ]
    /// Faults that end a run with an error.
    private static let refused = [
        "disk-full", "rights-to-write-withdrawn", "rights-withdrawn", "failure-to-rename",
        "answer-doubled", "answer-to-no-request", "length-too-large",
        "length-zero",
        "answer-of-another-kind", "answer-cut-short", "text-of-a-login-script",
    ]

    private func run(_ fault: String, at number: Int) throws -> (
        Result<Backup, any Error>, StoreFixture
    ) {
        let fixture = try StoreFixture(.sftp, rowCount: 1000)
        try fixture.repository.backUp(fixture.base.file)
        try fixture.change(3)
        let mark = fixture.base.path("mark")
        let url = StoreFixture.proxied(fault, number, fixture.folder, mark: mark)
        let result = Result { try BackupRepository(path: url).backUp(fixture.base.file) }
        if fault != "slow" {
            #expect(FileManager.default.fileExists(atPath: mark), "\(fault) did not happen")
        }
        return (result, fixture)
    }

    private func expectSound(_ fixture: StoreFixture, _ count: Int, _ fault: String) throws {
        let key = try BackupFixture.databaseKey
        let report = try fixture.local().verify(key: .database(key))
        #expect(report.isSound && report.backupCount == count, "\(fault): \(report.problems)")
        #expect(try fixture.repository.backUp(fixture.base.file).number == count + 1)
        try fixture.repository.restore(to: fixture.base.path("restored.db"), key: key)
        #expect(try fixture.sum("restored.db") == .integer(75))
    }

    @Test(.proves("OBJ-004", "OBJ-007"), arguments: survived)
    func `A backup goes on after a lost connection`(fault: String) throws {
        let numbers: [Int] =
            switch fault {
            // The first one that is closed was read; reads are few.
            case "slow", "failure-to-close", "data-short": [1]
            case _ where fault.hasSuffix("-lost"): [1, 3]
            default: [4, 25]
            }
        for number in numbers {
            let (result, fixture) = try run(fault, at: number)
            #expect(throws: Never.self) { try result.get() }
            try expectSound(fixture, 2, fault)
        }
    }

    @Test(.proves("OBJ-001", "OBJ-004"), arguments: refused)
    func `A backup that a server refuses or garbles ends with an error, and leaves the others`(
        fault: String
    ) throws {
        let (result, fixture) = try run(fault, at: 1)
        let error = try #require(throws: BackupError.self) { try result.get() }
        #expect(!error.message.isEmpty)
        try expectSound(fixture, 1, fault)
    }

    @Test(
        .proves("OBJ-001"),
        arguments: [
            "data-too-long", "data-changed", "answer-of-another-kind", "answer-cut-short",
            "names-that-lead-elsewhere",
        ])
    func `A verification over a server that lies ends with an error or a finding`(
        fault: String
    ) throws {
        let fixture = try StoreFixture(.sftp, rowCount: 1000)
        try fixture.repository.backUp(fixture.base.file)
        let mark = fixture.base.path("mark")
        // Of lists, one after that of the leases; of reads, one of a pack.
        let number = fault == "data-changed" ? 4 : fault.hasPrefix("names") ? 3 : 2
        let url = StoreFixture.proxied(fault, number, fixture.folder, mark: mark)
        let report = Result { try BackupRepository(path: url).verify() }
        #expect(FileManager.default.fileExists(atPath: mark), "\(fault) did not happen")
        #expect((try? report.get().isSound) != true)
        #expect(try fixture.local().verify().isSound)
    }

    @Test(.proves("OBJ-007"))
    func `A prune whose answers are lost has done what it says`() throws {
        let fixture = try StoreFixture(.sftp, rowCount: 1000)
        for number in 1...2 {
            try fixture.change(number)
            try fixture.repository.backUp(fixture.base.file, full: true)
        }
        let url = StoreFixture.proxied(
            "remove-answer-lost", 1, fixture.folder, mark: fixture.base.path("mark"))
        let key = try BackupFixture.databaseKey
        _ = try BackupRepository(path: url).prune(keeping: RetentionPolicy(last: 1), key: key)
        #expect(FileManager.default.fileExists(atPath: fixture.base.path("mark")))
        #expect(try fixture.local().verify(key: .database(key)).isSound)
        #expect(try fixture.local().backups().map(\.number) == [2])
    }
}
