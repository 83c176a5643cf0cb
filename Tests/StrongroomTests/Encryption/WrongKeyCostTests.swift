import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A wrong raw key")
struct WrongKeyCostTests {
    @Test("is refused without a look at most of the pages", .proves("OPR-40"))
    func cost() throws {
        let sample = try EncryptedSample(
            .version(.v4),
            sql: """
                PRAGMA synchronous = OFF; CREATE TABLE t (a);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 4000)
                  INSERT INTO t SELECT randomblob(3900) FROM c;
                """)
        let wrong = DatabaseFile(
            path: sample.path, key: try EncryptedSample.key(EncryptedSample.otherRawKey))
        let works: [(DatabaseFile) throws -> Void] = [
            { _ = try $0.open() }, { _ = try $0.check() }, { _ = try CommittedPages(of: $0) },
            { _ = try $0.rotateKey(to: .generated()) },
        ]
        for (number, work) in works.enumerated() {
            let before = try Self.readCount()
            let error = #expect(throws: DatabaseFileError.self, "\(number)") { try work(wrong) }
            #expect(error?.code == .wrongKey, "\(number): \(String(describing: error))")
            let count = try Self.readCount() - before
            #expect(count < 1000, "\(number): \(count) reads of 4,000 pages")
        }
        #expect(try wrong.withKey(sample).check().isSound)
    }

    /// The calls of this thread that have read.
    private static func readCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscr: ") })
        return try #require(Int(line.dropFirst("syscr: ".count)))
    }
}

extension DatabaseFile {
    fileprivate func withKey(_ sample: EncryptedSample) throws -> DatabaseFile {
        DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
    }
}
