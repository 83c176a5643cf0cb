import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite("The cost of checking a database file")
struct CheckCostTests {
    /// The entries of an index on random numbers lead to the rows in random order: SQLCipher's usual
    /// cache of 2 MB holds few of their pages.
    @Test("no page is read again for each index entry that leads to it", .proves("ENC-032"))
    func randomIndex() throws {
        let folder = try TemporaryDirectory()
        let key = String(repeating: "0b", count: 32)
        let file = DatabaseFile(
            path: folder.path(of: "app.db"),
            key: try CipherKey(rawKey: Data(repeating: 0x0b, count: 32)))
        try SQLCipherShell(path: file.path, key: .content("x'\(key)'")).create(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, b BLOB);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 16000)
              INSERT INTO t (n, b) SELECT random(), zeroblob(1000) FROM c;
            CREATE INDEX by_n ON t (n);
            """)
        let size = try Data(contentsOf: URL(fileURLWithPath: file.path)).count
        let before = try Self.readByteCount()
        #expect(try file.check().isSound)
        // Once to authenticate it, once to walk through it, and some pages more than once.
        #expect(try Self.readByteCount() - before < 3 * size)
    }

    /// What this thread has read from files, by the kernel's count.
    private static func readByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
        return try #require(Int(line.dropFirst("rchar: ".count)))
    }
}
