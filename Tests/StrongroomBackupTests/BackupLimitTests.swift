import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// `Tests/Proofs/backup limits` does the same with a repository of some size, by the clock.
@Suite("Commands on a repository of an enemy")
struct BackupLimitTests {
    private let fixture: BackupFixture
    private let sealing: BackupKey
    private let keyFiles: [String]

    init() throws {
        let fixture = try BackupFixture(rowCount: 200)
        self.fixture = fixture
        sealing = try fixture.backupKey()
        keyFiles = try [BackupFixture.keyText, BackupFixture.otherKeyText].enumerated().map {
            try fixture.folder.write($1 + "\n", to: "\($0).key")
        }
        for round in 1...2 {
            try fixture.shell("app.db").run("UPDATE t SET n = \(round) WHERE id % 40 = 7")
            try fixture.repository.backUp(fixture.file)
        }
    }

    /// What takes longest, or most memory, if a number is believed.
    private static var heads: [(inout [String: Any]) -> Void] {
        [
            { $0["pruned"] = [[0, 0xffff_ffff]] }, { $0["sequence"] = 0xffff_ffff },
            { $0["nextPack"] = 0xffff_ffff },
        ]
    }

    private static var manifests: [(inout [String: Any]) -> Void] {
        [
            { $0["packCount"] = 0xffff_ffff }, { $0["pageCount"] = 0xffff_fffe },
            {
                var cipher = $0["cipher"] as? [String: Any] ?? [:]
                cipher["fastKDFIterations"] = 0x7fff_ffff
                $0["cipher"] = cipher
            },
            {
                var cipher = $0["cipher"] as? [String: Any] ?? [:]
                cipher["kdfIterations"] = 0x7fff_ffff
                $0["cipher"] = cipher
            },
        ]
    }

    private func repositories() throws -> [String] {
        var generator = SeededGenerator(seed: 20)
        let count = Self.heads.count + Self.manifests.count
        return try (0..<count + 6).map { number in
            let path = fixture.path("hostile-\(number)")
            try FileManager.default.copyItem(atPath: fixture.repository.path, toPath: path)
            let forged = ForgedRepository(path: path, sealing: sealing)
            if number < Self.heads.count {
                try forged.forgeHead(Self.heads[number])
            } else if number < count {
                try forged.forgeLastManifest(Self.manifests[number - Self.heads.count])
            } else {
                try DamagedRepository(path: path, sealing: sealing).damage(&generator)
            }
            return path
        }
    }

    #if THREAD_SANITIZER
    private static let isInstrumented = true
    #else
    private static let isInstrumented = false
    #endif

    private func measure(_ key: String, _ repositories: [String]) throws {
        // The time of the processor tells the work, whatever else the machine does.
        let run = try Subprocess.run(
            "python3",
            [
                "-B", PackageFiles.path(of: "Tests/Proofs/backup_limits.py"),
                PackageFiles.program("strongroom"), key, keyFiles[1], fixture.file.path,
                "1", "cpu:0.5",
            ] + repositories, timeout: .seconds(300))
        #expect(run.isSuccess, "\(run.errorText)")
        #expect(
            run.outputText.contains("runs on \(repositories.count) repositories"),
            "\(run.outputText)")
    }

    @Test(
        "end by no trap, within half a second of a signal, and in 256 MB", .proves("BKP-027"),
        .disabled(if: BackupLimitTests.isInstrumented, "the sanitizer has memory of its own"))
    func limits() throws {
        try measure(keyFiles[0], [fixture.repository.path] + repositories())
    }

    @Test(
        "end within half a second also while a key is derived", .proves("BKP-027"),
        .disabled(if: BackupLimitTests.isInstrumented, "the sanitizer has memory of its own"))
    func derivation() throws {
        try ForgedRepository(fixture).forgeLastManifest { members in
            var cipher = members["cipher"] as? [String: Any] ?? [:]
            cipher["kdfIterations"] = 3_000_000
            members["cipher"] = cipher
        }
        let passphrase = try fixture.folder.write("a passphrase\n", to: "passphrase")
        try measure(passphrase, [fixture.repository.path])
    }
}
