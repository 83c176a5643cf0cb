import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Folders of databases, and of many other files: what a run costs for each.
@Suite struct ManyDatabasesTests {
    private let fixture: CommandLineFixture
    private let folder: String
    private let root: String

    init() throws {
        fixture = try CommandLineFixture()
        folder = fixture.path("shops")
        root = fixture.path("root")
        for path in [folder, root] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
    }

    private func addDatabases(_ count: Int) throws {
        for number in 0..<count {
            try FileManager.default.copyItem(
                atPath: fixture.database, toPath: folder + String(format: "/%02d.db", number))
        }
    }

    private var create: [String] {
        ["backup", "create", folder, "--to", root, "--key-file", fixture.keyFile]
    }

    /// How often the built program waits for the disk, and opens what it remembers of repositories.
    private func trace(_ words: [String]) throws -> (synchronizations: Int, memories: Int) {
        let log = fixture.path("trace")
        let result = try Subprocess.run(
            "strace",
            [
                "-f", "-qq", "-s", "200", "-o", log, "-e", "signal=none",
                "-e", "trace=?open,openat,fsync,fdatasync,?sync_file_range,?syncfs,?sync", "--",
                PackageFiles.program("strongroom"),
            ] + words,
            environment: [
                "PATH": "/usr/bin:/bin", "STRONGROOM_STATE": fixture.path("state"),
            ])
        try #require(result.isSuccess, "\(result.errorText)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        return (
            lines.count { $0.contains("sync") && $0.contains("(") && !$0.contains("resumed>") },
            lines.count { $0.contains("\"repository-") && !$0.contains("resumed>") }
        )
    }

    @Test(.proves("SCL-02"), .mayTrace)
    func `a run with nothing new waits five times for the disk for each database`() throws {
        try addDatabases(4)
        _ = try trace(create)
        let few = try trace(create)
        #expect(few.synchronizations <= 4 * 5 && few.synchronizations > 0, "\(few)")
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try addDatabases(24)
        _ = try trace(create)
        let many = try trace(create)
        #expect(many.synchronizations <= 24 * 5, "\(many)")
        // What is remembered of one database does not matter to the others.
        #expect(many.memories == 6 * few.memories && few.memories > 0, "\(few), \(many)")
        let key = ["--key-file", fixture.keyFile]
        let verification = try trace(["backup", "verify", root] + key)
        #expect(verification.synchronizations <= 24, "\(verification)")
    }

    @Test(.proves("SCL-02"))
    func `several at a time are reported in order, and failures stay with their files`() throws {
        try addDatabases(12)
        let other = SQLCipherShell(
            path: folder + "/05.db", key: .content(CommandLineFixture.otherKey))
        try FileManager.default.removeItem(atPath: folder + "/05.db")
        try other.create("CREATE TABLE t (a)")
        let first = try CommandRun(create + ["--jobs", "8"])
        #expect(first.exitCode != .done && first.errors.contains("05.db"))
        #expect(first.output.contains("11 of 12 databases are backed up"))
        let numbers = (0..<12).filter { $0 != 5 }.map { String(format: "%02d.db", $0) }
        #expect(Self.numbers(in: first.output) == numbers)
        for name in ["03.db", "08.db"] {
            let packs = root + "/" + name + "/packs"
            for pack in try FileManager.default.contentsOfDirectory(atPath: packs) {
                try FileManager.default.removeItem(atPath: packs + "/" + pack)
            }
        }
        let key = ["--key-file", fixture.keyFile]
        let runs = try ["1", "8"].map {
            try CommandRun(["backup", "verify", root, "--jobs", $0, "--no-key"])
        }
        #expect(runs[0].output == runs[1].output && runs[0].errors == runs[1].errors)
        #expect(runs[1].exitCode == .damaged)
        #expect(runs[1].output.contains("9 of 11 repositories are sound"))
        let json = try CommandRun(["backup", "verify", root, "--jobs", "8", "--json"] + key)
        let order = json.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?[
                "repository"]
                as? String
        }
        #expect(order == numbers)
        for words in [["--jobs", "0"], ["--jobs", "many"], ["--jobs", "257"]] {
            let run = try CommandRun(["backup", "verify", root] + words)
            #expect(run.exitCode == .usage && run.errors.contains("from 1 to 256"))
        }
    }

    /// The names of databases in the order in which they are first named.
    private static func numbers(in output: String) -> [String] {
        output.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /of \S*\/(\d\d\.db):/).map { String($0.1) }
        }
    }

    @Test(.proves("SCL-02"))
    func `files that are no databases take no memory, however many there are`() throws {
        try addDatabases(1)
        let few = try peakMemory()
        let made = try Subprocess.run(
            "python3",
            [
                "-c",
                """
                import sys
                for n in range(30000): open(f"{sys.argv[1]}/a picture of no size {n}.png", "w").close()
                """, folder,
            ])
        try #require(made.isSuccess, "\(made.errorText)")
        let many = try peakMemory()
        #expect(many < few + 2560, "\(few) and \(many) KiB")
    }

    /// The most memory that a backup of the folder has at once, in KiB.
    private func peakMemory() throws -> Int {
        let script = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let run = try Subprocess.run(
            "python3",
            ["-c", script, PackageFiles.program("strongroom")] + create + ["--state", "none"])
        try #require(run.isSuccess, "\(run.errorText)")
        return try #require(
            Int(run.outputText.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
