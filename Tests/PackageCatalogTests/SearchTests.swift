import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import PackageCatalog

/// Packages are found by what they are about.
struct SearchTests {
    private let folder: TemporaryDirectory
    private let catalog: Catalog

    private let status = """
        Package: postfix
        Version: 1
        Architecture: all
        Description: high-performance mail transport agent
         Postfix delivers letters over the Internet.
         .
         It has been hardened.

        Package: mailutils
        Version: 1
        Architecture: all
        Description: utilities for mailing
         They compress and read e-mail.

        Package: zip
        Version: 1
        Architecture: all
        Description: archiver
         The compression of files, mail among them.

        Package: quiet
        Version: 1
        Architecture: all
        """

    init() throws {
        folder = try TemporaryDirectory()
        catalog = try Catalog(
            path: folder.path(of: "catalog.db"), key: CipherKey.ofTests())
        try run(status)
    }

    private func run(_ text: String) throws {
        var status = DpkgStatus(lines: lines(Data(text.utf8), chunkSize: 64))
        _ = try catalog.importPackages(from: &status, source: "test")
        #expect(status.problems.isEmpty)
    }

    private func names(_ words: String, limit: Int = 9) throws -> [String] {
        try catalog.packages(about: words, limit: limit).map(\.name)
    }

    @Test func `packages are found by words of their name, summary and description`() throws {
        #expect(try names("zip") == ["zip"])
        #expect(try names("Transport AGENT") == ["postfix"])
        #expect(try names("hardened letters") == ["postfix"])
        #expect(try names("nothing of the kind") == [])
        #expect(
            try catalog.packages(about: "archiver", limit: 1)
                == [FoundPackage(name: "zip", summary: "archiver")])
    }

    @Test(.needsFTS5) func `words may be inflected, and the best match comes first`() throws {
        #expect(try Set(names("compressed")) == ["mailutils", "zip"])
        // "mail" is no word of the name "mailutils", but of both summaries.
        #expect(try Set(names("mails").prefix(2)) == ["mailutils", "postfix"])
        #expect(try names("mails").last == "zip")
        #expect(try names("mails", limit: 1).count == 1)
    }

    @Test(arguments: ["", "*", "\"", "OR", "name:", "(zip", "zip*\"", "-", "NEAR(", "\0"])
    func `no text is wrong`(words: String) throws {
        _ = try names(words)
    }

    @Test func `what is found follows the packages`() throws {
        try run(
            """
            Package: zip
            Version: 2
            Architecture: all
            Description: archiver
             It has nothing to do with letters.
            """)
        #expect(try names("mail") == [])
        #expect(try names("letters") == ["zip"])
    }

    @Test func `a description has paragraphs`() throws {
        let description = try catalog.database.read { db in
            try String.fetchOne(db, sql: "SELECT description FROM package WHERE name = 'postfix'")
        }
        #expect(
            description == """
                Postfix delivers letters over the Internet.

                It has been hardened.
                """)
    }

    @Test func `descriptions are as secret as all else`() throws {
        let scanner = CanaryScanner("hardened", "compress", "archiver")
        #expect(try scanner.findings(inDirectory: folder.path) == [])
    }
}
