import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// An index that only the app's own code can order: by one of Foundation's collations, which the
/// program does without.
@Suite struct UnknownCollationTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
        var configuration = Configuration()
        configuration.prepareDatabase { [keyFile = fixture.keyFile] db in
            try db.useKey(CipherKey(contentsOfFile: keyFile))
        }
        let dbQueue = try DatabaseQueue(path: fixture.database, configuration: configuration)
        try dbQueue.write { db in
            try db.create(table: "place") { t in
                t.column("name", .text).collate(.localizedCaseInsensitiveCompare).unique()
            }
            try db.execute(sql: "INSERT INTO place VALUES ('Ulm'), ('ulm-west'), ('Aachen')")
        }
        try dbQueue.close()
    }

    @Test func `is no obstacle to a new key, nor to a backup`() throws {
        for words in [
            ["query", "shop.db", "SELECT count(*) FROM place"],
            ["backup", "init", "repo"], ["backup", "create", "shop.db", "--to", "repo"],
            ["backup", "verify", "repo"],
            ["info", "shop.db"],
            ["rotate-key", "shop.db", "--new-key-generate", "new.key"],
        ] {
            let key =
                words.contains("init") || words.contains("verify")
                ? [] : ["--key-file", "shop.key"]
            let result = try run(words + key)
            #expect(result.isSuccess, "\(words): \(result.outputText)\(result.errorText)")
        }
    }

    @Test(arguments: [["check"], ["copy"], ["query"]])
    func `is named where its order counts`(words: [String]) throws {
        let rest =
            ["copy": ["out.db"], "query": ["SELECT * FROM place ORDER BY name"]][words[0]] ?? []
        let result = try run(words + ["shop.db"] + rest + ["--key-file", "shop.key"])
        #expect(!result.isSuccess)
        #expect(
            result.errorText.contains("swiftLocalizedCaseInsensitiveCompare"),
            "\(result.outputText)\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))
    }

    private func run(_ words: [String]) throws -> Subprocess.Result {
        try Subprocess.run(
            PackageFiles.program("strongroom"), words, environment: ["PATH": "/usr/bin:/bin"],
            workingDirectory: fixture.directory.path)
    }
}
