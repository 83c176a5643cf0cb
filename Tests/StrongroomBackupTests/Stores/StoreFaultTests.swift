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

    private func run(_ fault: String, at number: Int, _ kind: StoreKind) throws -> (
        Result<Backup, any Error>, StoreFixture
    ) {
        let fixture = try StoreFixture(kind, rowCount: 1000)
        try fixture.repository.backUp(fixture.base.file)
        try fixture.change(3)
        let result = Result { try fixture.proxied(fault, number).backUp(fixture.base.file) }
        if fault != "slow" { #expect(fixture.isSpoiled, "\(fault) did not happen") }
        try fixture.disconnect()
        return (result, fixture)
    }

    private func expectSound(
        _ fixture: StoreFixture, _ count: Int, _ fault: String, rowCount: Int = 1000
    ) throws {
        let key = try BackupFixture.databaseKey
        let report = try fixture.local().verify(key: .database(key))
        #expect(report.isSound && report.backupCount == count, "\(fault): \(report.problems)")
        #expect(try fixture.repository.backUp(fixture.base.file).number == count + 1)
        try fixture.repository.restore(to: fixture.base.path("restored.db"), key: key)
        #expect(try fixture.sum("restored.db") == .integer(Int64(rowCount / 40 * 3)))
    }

    @Test(.proves("OBJ-004", "OBJ-007"), arguments: survived, StoreKind.tried)
    func `A backup goes on after a lost connection`(
        fault: String, kind: StoreKind
    ) throws {
        let numbers: [Int] =
            switch fault {
            // The first one that is closed was read; reads are few.
            case "slow", "failure-to-close", "data-short": [1]
            case _ where fault.hasSuffix("-lost"): [1, 3]
            default: [4, 25]
            }
        for number in numbers {
            let (result, fixture) = try run(fault, at: number, kind)
            #expect(throws: Never.self) { try result.get() }
            try expectSound(fixture, 2, fault)
        }
    }

    @Test(.proves("OPR-170"), arguments: [12, 25, 100], StoreKind.tried)
    func
        `A first backup goes on after a lost connection, also if the store has forgotten its empty folders`(
            number: Int, kind: StoreKind
        ) throws
    {
        let fixture = try StoreFixture(kind, rowCount: 20_000)
        try fixture.disconnect()
        try fixture.proxied("cut-before-answer", number).backUp(fixture.base.file)
        #expect(fixture.isSpoiled)
        try fixture.disconnect()
        try fixture.change(3)
        try expectSound(fixture, 1, "lost at \(number)", rowCount: 20_000)
    }

    @Test(.proves("OPR-170"), arguments: [2, 6, 10, 14], StoreKind.tried)
    func `A repository is created although a connection is lost`(
        number: Int, kind: StoreKind
    ) throws {
        let base = try BackupFixture(rowCount: 100)
        let place = try kind.place("new", in: base.folder.path)
        let mark = base.path("mark")
        _ = try BackupRepository.create(
            at: kind.proxied("cut-before-answer", number, place, mark: mark))
        #expect(FileManager.default.fileExists(atPath: mark))
        let repository = try BackupRepository(path: kind.direct(place))
        #expect(try repository.backUp(base.file).number == 1)
        #expect(try repository.verify().isSound)
    }

    @Test(.proves("OBJ-001", "OBJ-004"), arguments: refused, StoreKind.tried)
    func `A backup that a server refuses or garbles ends with an error, and leaves the others`(
        fault: String, kind: StoreKind
    ) throws {
        let (result, fixture) = try run(fault, at: 1, kind)
        let error = try #require(throws: BackupError.self) { try result.get() }
        #expect(!error.message.isEmpty)
        try expectSound(fixture, 1, fault)
    }

    @Test(
        .proves("OBJ-001"),
        arguments: [
            "data-too-long", "data-changed", "answer-of-another-kind", "answer-cut-short",
            "names-that-lead-elsewhere",
        ], StoreKind.tried)
    func `A verification over a server that lies ends with an error or a finding`(
        fault: String, kind: StoreKind
    ) throws {
        let fixture = try StoreFixture(kind, rowCount: 1000)
        try fixture.repository.backUp(fixture.base.file)
        // Of lists, one after that of the leases; of reads, one of a pack.
        let number = fault == "data-changed" ? 4 : fault.hasPrefix("names") ? 3 : 2
        let report = Result { try fixture.proxied(fault, number).verify() }
        #expect(fixture.isSpoiled, "\(fault) did not happen")
        #expect((try? report.get().isSound) != true)
        #expect(try fixture.local().verify().isSound)
    }

    @Test(.proves("OBJ-007"), arguments: StoreKind.tried)
    func `A prune whose answers are lost has done what it says`(kind: StoreKind) throws {
        let fixture = try StoreFixture(kind, rowCount: 1000)
        for number in 1...2 {
            try fixture.change(number)
            try fixture.repository.backUp(fixture.base.file, full: true)
        }
        let key = try BackupFixture.databaseKey
        _ = try fixture.proxied("remove-answer-lost", 1)
            .prune(keeping: RetentionPolicy(last: 1), key: key)
        #expect(fixture.isSpoiled)
        #expect(try fixture.local().verify(key: .database(key)).isSound)
        #expect(try fixture.local().backups().map(\.number) == [2])
    }
}
