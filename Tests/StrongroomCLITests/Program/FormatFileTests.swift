import Foundation
import StrongroomTestSupport
import Testing

/// The built program on files of earlier versions.
@Suite("The tool and files of earlier versions")
struct FormatFileTests {
    private func run(_ words: [String], in folder: TemporaryDirectory) throws -> Subprocess.Result {
        try Subprocess.run(
            PackageFiles.program("strongroom"), words, environment: ["PATH": "/usr/bin:/bin"],
            workingDirectory: folder.path)
    }

    /// Runs a command that must succeed.
    @discardableResult
    private func done(_ words: String..., in folder: TemporaryDirectory) throws -> String {
        let result = try run(words, in: folder)
        #expect(result.isSuccess, "\(words) \(result.outputText)\(result.errorText)")
        return result.outputText
    }

    private func rows(_ file: String, _ key: String, in folder: TemporaryDirectory) throws
        -> [String]
    {
        try done(
            "query", file, FormatGeneration.rowsSQL, "--format", "list", "--key-file", key,
            in: folder
        ).split(separator: "\n").map(String.init)
    }

    @Test("Every database opens, or becomes one that opens", arguments: FormatGeneration.all)
    func databases(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for database in try generation.expectation().databases {
            var file = database.file
            let key = database.key ?? "keys/raw.key"
            switch database.tool {
            case .opens where database.key == nil:
                try done("encrypt", file, "encrypted.db", "--key-file", key, in: folder)
                file = "encrypted.db"
            case .opens:
                try done("doctor", file, "--key-file", key, in: folder)
            case .converts:
                // With a passphrase, the doctor derives a key for each of many settings.
                if !key.contains("passphrase") {
                    let verdict = try run(["doctor", file, "--key-file", key], in: folder).status
                    #expect(verdict == .exited(15), "\(database)")
                }
                // Pages without HMACs are opened only if that is said.
                let isVersion1 = database.pragmas == ["cipher_compatibility = 1"]
                let named = isVersion1 ? "compatibility=1" : "hmac=none"
                let words = ["rotate-key", file, "--compatibility", "4", "--key-file", key]
                let rest = database.hasHMAC ? [] : ["--cipher-settings", named]
                let result = try run(words + rest, in: folder)
                #expect(result.isSuccess, "\(database) \(result.errorText)")
            case .salvages:
                let out = "salvaged-\(database.name).db"
                try done("salvage", file, out, "--key-file", key, in: folder)
                file = out
            }
            try done("check", file, "--key-file", key, in: folder)
            let expected = try generation.rows(database.content)
            #expect(try rows(file, key, in: folder) == expected, "\(database)")
        }
    }

    @Test("Every repository lists, verifies and restores", arguments: FormatGeneration.all)
    func repositories(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for repository in try generation.expectation().repositories {
            let path = repository.folder
            let last = try #require(repository.backups.last)
            try done("backup", "list", path, in: folder)
            for key in [
                ["--no-key"], ["--key-file", last.key],
                ["--verification-key", repository.verificationKey],
            ] {
                let words = ["backup", "verify", path, "--expect", repository.hash] + key
                let result = try run(words, in: folder)
                #expect(result.isSuccess, "\(words) \(result.errorText)")
            }
            let printed = try done(
                "backup", "verification-key", path, "--key-file", last.key, in: folder)
            #expect(try Data(printed.utf8) == generation.content(of: repository.verificationKey))
            for backup in repository.backups {
                let out = "\(repository)-\(backup.number).db"
                try done(
                    "backup", "restore", path, "\(backup.number)", out, "--key-file", backup.key,
                    in: folder)
                guard repository.pragmas.isEmpty else { continue }
                let expected = try generation.rows(backup.content)
                #expect(try rows(out, backup.key, in: folder) == expected, "\(out)")
            }
        }
    }
}
