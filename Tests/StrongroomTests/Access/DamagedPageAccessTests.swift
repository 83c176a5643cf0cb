import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// SQLCipher reads nothing more on a connection that has met a page which is not authentic, and says
/// so with another error in each version. (`Documentation/SQLCipher.md`, "Failure and tamper")
@Suite("After a damaged page", .proves("POR-04"))
struct DamagedPageAccessTests {
    private let sample: EncryptedSample

    init() throws {
        sample = try EncryptedSample(
            .version(.v4),
            sql: """
                CREATE TABLE whole (a);
                CREATE TABLE damaged (a);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100)
                  INSERT INTO whole SELECT randomblob(1000) FROM c;
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100)
                  INSERT INTO damaged SELECT randomblob(1000) FROM c;
                """)
        let page = try sample.shell.cell(
            "SELECT max(pageno) FROM dbstat WHERE name = 'damaged' AND pagetype = 'leaf'")
        guard case .integer(let number) = page else { return }
        try sample.damage(pages: [Int(number)])
    }

    private func configuration(readers: Int = 1) -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = readers
        let key = sample.keyText
        configuration.prepareDatabase { db in
            try db.useKey(try EncryptedSample.key(key))
        }
        return configuration
    }

    private func count(_ table: String, _ db: Database) throws -> Int {
        try Data.fetchAll(db, sql: "SELECT a FROM \(table)").count
    }

    @Test("a pool reads on with another connection")
    func pool() throws {
        try sample.shell.run("PRAGMA journal_mode = WAL;")
        let pool = try DatabasePool(path: sample.path, configuration: configuration())
        for _ in 1...2 {
            let error = DatabaseError.thrown { try pool.read { _ = try count("damaged", $0) } }
            #expect(error?.resultCode == .SQLITE_CORRUPT)
            #expect(try pool.read { try count("whole", $0) } == 100)
        }
    }

    @Test("a pool reads on in tasks")
    func poolInTasks() async throws {
        try sample.shell.run("PRAGMA journal_mode = WAL;")
        let pool = try DatabasePool(path: sample.path, configuration: configuration())
        for _ in 1...2 {
            await #expect(throws: DatabaseError.self) {
                try await pool.read { _ = try count("damaged", $0) }
            }
            #expect(try await pool.read { try count("whole", $0) } == 100)
        }
    }

    @Test("a writer tells of the damage, and of nothing else", arguments: WriterKind.allCases)
    func firstError(_ kind: WriterKind) throws {
        try sample.shell.run("PRAGMA journal_mode = WAL;")
        let writer: any DatabaseWriter =
            switch kind {
            case .queue: try DatabaseQueue(path: sample.path, configuration: configuration())
            case .pool: try DatabasePool(path: sample.path, configuration: configuration())
            }
        for _ in 1...3 {
            for table in ["damaged", "whole"] {
                let error = DatabaseError.thrown {
                    try writer.write { _ = try count(table, $0) }
                }
                // Some versions read on where the page is not needed.
                if error != nil || table == "damaged" {
                    #expect(error?.resultCode == .SQLITE_CORRUPT)
                }
            }
        }
    }
}
