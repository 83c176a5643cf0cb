import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite struct RetentionTests {
    private let fixture: BackupFixture

    init() throws {
        fixture = try BackupFixture(wal: false, rowCount: 20)
        let dates = [
            "2024-03-01T10:00:00.000Z", "2025-06-01T10:00:00.000Z", "2025-06-01T11:10:00.000Z",
            "2025-06-01T11:50:00.000Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:30:00.000Z",
        ]
        var repository = fixture.repository
        for (index, text) in dates.enumerated() {
            let date = try #require(WrittenTime.date(of: text))
            repository.now = { date }
            try repository.backUp(fixture.file, tag: ["v1", nil, "v2", nil, "v1", nil][index])
        }
    }

    private func kept(_ policy: RetentionPolicy) throws -> [Int] {
        try fixture.repository.prune(keeping: policy, dryRun: true).kept.map(\.number)
    }

    @Test(.proves("OPR-36"))
    func `Hours and years keep the newest of each that has one`() throws {
        #expect(try kept(RetentionPolicy(hourly: 1)) == [6])
        #expect(try kept(RetentionPolicy(hourly: 3)) == [2, 4, 6])
        #expect(try kept(RetentionPolicy(hourly: 9)) == [1, 2, 4, 6])
        #expect(try kept(RetentionPolicy(yearly: 2)) == [4, 6])
        #expect(try kept(RetentionPolicy(yearly: 9)) == [1, 4, 6])
        #expect(try kept(RetentionPolicy(daily: 2, yearly: 9)) == [1, 4, 6])
    }

    @Test(.proves("OPR-36"))
    func `All with one of the tags are kept, besides what other rules want`() throws {
        #expect(try kept(RetentionPolicy(tags: ["v1"])) == [1, 5])
        #expect(try kept(RetentionPolicy(last: 1, tags: ["v2", "v1"])) == [1, 3, 5, 6])
        #expect(try kept(RetentionPolicy(yearly: 1, tags: ["none"])) == [6])
    }

    @Test(.proves("OPR-36"))
    func `A policy that would keep nothing is refused`() throws {
        let key = try BackupFixture.databaseKey
        for policy in [RetentionPolicy(), RetentionPolicy(tags: ["none"])] {
            #expect(throws: BackupError.self) { try kept(policy) }
            #expect(throws: BackupError.self) {
                try fixture.repository.prune(keeping: policy, key: key)
            }
        }
        #expect(try fixture.repository.backups().count == 6)
    }
}
