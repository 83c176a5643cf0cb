import Foundation
import StrongroomTestSupport
import Testing

@Suite("The witnesses of the tests")
struct WitnessTests {
    let directory: TemporaryDirectory
    var path: String { directory.path(of: "witness.db") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "The sqlcipher shell reads what it wrote, with the right key only",
        arguments: [
            SQLCipherShell.Key.passphrase("it's"), .rawKey(Data(repeating: 7, count: 32)),
            .content("x'" + String(repeating: "0f", count: 48) + "'"),
        ])
    func shellRoundTrip(key: SQLCipherShell.Key) throws {
        let shell = SQLCipherShell(path: path, key: key)
        try shell.create("CREATE TABLE t(a); INSERT INTO t VALUES (1), (-2.5), (NULL);")
        try shell.run("INSERT INTO t VALUES ('it''s\n\"two, lines\"'), (x'00FF'), (1e300)")
        let expected: [[SQLCipherShell.Cell]] = [
            [1], [-2.5], [nil], ["it's\n\"two, lines\""], [.blob(Data([0, 255]))], [1e300],
        ]
        #expect(try shell.rows("SELECT a FROM t") == expected)
        #expect(try shell.rows("SELECT 1, 'a'; SELECT 2") == [[1, "a"], [2]])
        for wrong in [SQLCipherShell.Key.none, .passphrase("other")] {
            #expect(throws: SQLCipherShell.Failure.self) {
                try SQLCipherShell(path: path, key: wrong).rows("SELECT a FROM t")
            }
        }
    }

    @Test("The shell reads what it wrote as another version, by that version's settings only")
    func shellReadsVersions() throws {
        for version in 1...4 {
            let old = try ForeignDatabase.create(
                compatibility: version, at: directory.path(of: "\(version).db"))
            for tried in 1...4 {
                let shell = SQLCipherShell(
                    path: old, key: .passphrase(ForeignDatabase.passphrase),
                    settings: ["PRAGMA cipher_compatibility = \(tried)"])
                let opens = (try? shell.cell("SELECT count(*) FROM t1")) != nil
                #expect(opens == (tried == version))
            }
        }
    }

    @Test("The shell does not create a file that should be there, nor replace one")
    func shellNeitherCreatesNorReplaces() throws {
        let shell = SQLCipherShell(path: path)
        #expect(throws: SQLCipherShell.Failure.self) { try shell.rows("SELECT 1") }
        #expect(!FileManager.default.fileExists(atPath: path))
        try shell.create("CREATE TABLE t(a)")
        #expect(throws: SQLCipherShell.Failure.self) { try shell.create("CREATE TABLE u(a)") }
    }

    @Test("The scanner finds a canary in plaintext, and none in ciphertext")
    func scannerFinds() throws {
        let scanner = CanaryScanner("canary-of-the-witness")
        let sql = "CREATE TABLE t(a); INSERT INTO t VALUES ('canary-of-the-witness');"
        try SQLCipherShell(path: path, key: .passphrase("a")).create(sql)
        #expect(try scanner.findings(inDirectory: directory.path) == [])
        let plain = directory.path(of: "plain.db")
        try SQLCipherShell(path: plain).create(sql)
        #expect(try scanner.findings(inDirectory: directory.path).map(\.path) == [plain])
        let wide = directory.path(of: "wide.db")
        try SQLCipherShell(path: wide).create("PRAGMA encoding = 'UTF-16be'; \(sql)")
        #expect(try scanner.findings(inFile: wide).count == 1)
        #expect(throws: SystemCallError.self) { try scanner.findings(inFile: path + "-gone") }
    }

    #if os(Linux)
    @Test("The scanner finds a canary in a file that is open and has no name any more")
    func scannerFindsUnlinked() throws {
        let path = try directory.write("canary-without-a-name", to: "temporary")
        let handle = try #require(FileHandle(forReadingAtPath: path))
        try FileManager.default.removeItem(atPath: path)
        let scanner = CanaryScanner("canary-without-a-name")
        #expect(try scanner.findingsInOpenFiles(of: directory.path).count == 1)
        try handle.close()
        #expect(try scanner.findingsInOpenFiles(of: directory.path) == [])
    }

    @Test("The scanner leaves the locks that other tests have on the files it looks into")
    func scannerKeepsLocks() throws {
        let path = try directory.write("canary-in-a-locked-file", to: "locked")
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        defer { try? handle.close() }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        try #require(fcntl(handle.fileDescriptor, F_SETLK, &lock) == 0)
        let scanner = CanaryScanner("canary-in-a-locked-file")
        #expect(try scanner.findingsInOpenFiles().count == 1)
        // Asked by another process: a process does not see its own locks.
        let other = try Subprocess.run(
            "python3",
            [
                "-c",
                "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | "
                    + "fcntl.LOCK_NB)", path,
            ])
        #expect(!other.isSuccess && other.errorText.contains("BlockingIOError"), "\(other)")
    }
    #endif

    @Test("A temporary directory goes with everything in it")
    func temporaryDirectoryGoes() throws {
        var other: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(other).path
        try other?.write("text", to: "file", mode: 0o400)
        #expect(try other?.names() == ["file"])
        #expect(chmod(path, 0o500) == 0)
        other = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("The built programs are beside the tests")
    func builtPrograms() {
        #expect(FileManager.default.isExecutableFile(atPath: PackageFiles.program("strongroom")))
    }
}
