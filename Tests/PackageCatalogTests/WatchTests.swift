import Foundation
import StrongroomTestSupport
import Testing

@testable import PackageCatalog

/// The program itself, watching a catalog that another process changes.
@Suite(.timeLimit(.minutes(30))) struct WatchTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        // Raw keys: from a passphrase, every connection of every process would derive its own.
        _ = try folder.write("x'\(String(repeating: "42", count: 32))'\n", to: "key")
    }

    private func start(_ arguments: String...) throws -> Subprocess {
        try Subprocess(
            starting: PackageFiles.program("PackageCatalog"),
            ["catalog.db", "--key-file", "key"] + arguments, workingDirectory: folder.path)
    }

    private func status(_ names: [String]) -> String {
        names.map { name in
            """
            Package: \(name)
            Version: 1
            Architecture: all
            Section: web
            Installed-Size: 2


            """
        }.joined()
    }

    @Test(.proves("OPR-31"))
    func `a catalog whose key is rotated at each of five launches opens at the next one`() throws {
        func launch(_ words: String...) throws -> String {
            let result = try Subprocess.run(
                PackageFiles.program("PackageCatalog"), ["catalog.db", "--keys", "keys"] + words,
                workingDirectory: folder.path)
            #expect(result.isSuccess, "\(result.errorText)")
            return result.outputText
        }
        for count in 1...5 {
            let names = ["aa", "bb", "cc", "dd", "ee"].prefix(count)
            _ = try folder.write(status(Array(names)), to: "status")
            let output = try launch("--status", "status", "--rotate-key")
            #expect(output.hasPrefix("Read \(count) packages from status: 1 new"), "\(output)")
        }
        let keys = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "keys"))
        #expect(
            keys.count { $0.hasSuffix(".key") } == 6 && !keys.contains { $0.hasSuffix(".next") })
        #expect(try launch("--no-import").contains("5 packages"))
    }

    /// The numbers of packages that were told.
    private func packageCounts(_ output: Data) throws -> [Int] {
        struct Line: Decodable { var packageCount: Int }
        return try output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Line.self, from: Data($0)).packageCount
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `what other processes import is told, until a signal ends the watch`(
        signal: Int32
    ) throws {
        let watcher = try start("--watch")
        let empty = "0 packages in 0 sections by 0 maintainers, 0 B\n"
        try watcher.wait(untilWritten: empty)
        for count in [3, 1] {
            let names = ["aa", "bb", "cc"].prefix(count)
            _ = try folder.write(status(Array(names)), to: "status")
            #expect(try start("--status", "status", "--quiet").wait().isSuccess)
            try watcher.wait(untilWritten: "\(count) packages in 1 sections")
        }
        watcher.signal(signal)
        let result = try watcher.wait()
        #expect(result.status == .exited(0))
        #expect(result.errorText == "")
        #expect(
            result.outputText == empty + """
                3 packages in 1 sections by 0 maintainers, 6.1 kB
                1 packages in 1 sections by 0 maintainers, 2.0 kB

                """)
    }

    @Test func `an import is told while it is under way, if it commits in between`() throws {
        let pipe = folder.path(of: "pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let gate = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(gate >= 0)
        let writing = FileHandle(fileDescriptor: gate, closeOnDealloc: true)
        let watcher = try start("--watch", "--json")
        try watcher.wait(untilWritten: #""packageCount":0,"#)
        let importer = try start("--status", "pipe", "--commit-every", "1", "--quiet")

        // As much as the program reads at once, and as a pipe holds: the second package is not whole.
        let first = status(["aa"]) + "Package: bb\nVersion: 1\nArchitecture: all\nDescription: b\n "
        let filled = first + String(repeating: "x", count: 65_536 - first.utf8.count)
        try writing.write(contentsOf: Data(filled.utf8))
        try watcher.wait(untilWritten: #""packageCount":1,"#)
        try writing.write(contentsOf: Data("\n\n\(status(["cc", "dd"]))".utf8))
        try writing.close()

        #expect(try importer.wait().isSuccess)
        try watcher.wait(untilWritten: #""packageCount":4,"#)
        watcher.signal(SIGTERM)
        let result = try watcher.wait()
        #expect(result.status == .exited(0))
        let counts = try packageCounts(result.output)
        #expect(counts.starts(with: [0, 1]) && counts.last == 4)
        #expect(counts == counts.sorted())
        let last = try #require(result.outputText.split(separator: "\n").last)
        #expect(
            last == #"{"dependencyCount":0,"installedSize":6144,"maintainerCount":0,"#
                + #""packageCount":4,"sectionCount":1}"#)
    }

    @Test func `a catalog that can't be opened is not watched`() throws {
        let first = try start("--no-import", "--quiet").wait()
        #expect(first.isSuccess)
        _ = try folder.write("x'\(String(repeating: "17", count: 32))'\n", to: "key")
        let result = try start("--watch").wait()
        #expect(result.status == .exited(1))
        #expect(result.output.isEmpty)
        #expect(result.errorText.hasPrefix("PackageCatalog: error: "))
    }
}
