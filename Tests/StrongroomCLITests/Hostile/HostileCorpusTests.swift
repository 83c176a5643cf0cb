import Foundation
import StrongroomTestSupport
import Testing

/// The built program under `strace`, on databases that were made to do harm.
@Suite("A database of an enemy", .proves("HST-01", "ENG-03"), .mayTrace, .needsFTS5)
struct HostileCorpusTests {
    private static let key = CommandLineFixture.key
    private let directory: TemporaryDirectory
    private let folder: String

    init() throws {
        directory = try TemporaryDirectory()
        folder = directory.path(of: "world")
        for name in ["", "/in", "/out", "/said", "/home", "/bait"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: false)
        }
        try directory.write(Self.key + "\n", to: "world/key")
        try directory.write(CommandLineFixture.otherKey + "\n", to: "world/new")
        try SQLCipherShell(path: folder + "/bait/other").create(
            "CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    }

    private func sql(_ database: HostileDatabase) -> String {
        database.sql.replacing("BAIT", with: folder + "/bait")
    }

    private func make(_ databases: [HostileDatabase], encrypted: Bool = true) throws {
        for database in databases {
            let path = "\(folder)/in/\(database.rawValue).db"
            try SQLCipherShell(path: path, key: encrypted ? .content(Self.key) : .none)
                .create(sql(database))
        }
    }

    /// Runs a command on each of the databases.
    ///
    /// - Parameter command: Words of the shell; `$f` is the name of the database.
    /// - Returns: The exit statuses.
    private func run(
        _ command: String, on names: [String] = HostileDatabase.allCases.map(\.rawValue)
    ) throws -> [String: Int] {
        let before = try inputs()
        let script = """
            ulimit -t 20
            for f in \(names.joined(separator: " ")); do
              set -- \(command)
              '\(PackageFiles.program("strongroom"))' "$@" >said/$f 2>&1 </dev/null
              echo $? >said/$f.status
            done
            """
        let trace = try SystemCallTrace.run(script, in: folder)
        #expect(try inputs() == before)
        #expect(trace.connections == [])
        #expect(
            trace.started
                == ["/bin/sh"] + names.map { _ in PackageFiles.program("strongroom") })
        #expect(trace.changed.filter { !isExpected($0) }.sorted() == [])
        var statuses: [String: Int] = [:]
        for name in names {
            let said = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/said/\(name)"))
            expectPlainText(said, name)
            let status = try String(
                contentsOfFile: "\(folder)/said/\(name).status", encoding: .utf8)
            let number = try #require(Int(status.dropLast()))
            // Above, it was a signal.
            #expect(number < 128, "\(name): \(String(decoding: said, as: UTF8.self))")
            statuses[name] = number
        }
        return statuses
    }

    /// Everything but the output.
    private func inputs() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where !name.hasPrefix("out") && !name.hasPrefix("said") {
            files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        }
        return files
    }

    private func isExpected(_ path: String) -> Bool {
        if ["/dev/null", "/dev/tty"].contains(path) { return true }
        let isInput = path.hasPrefix(folder + "/in/")
        return isInput || path.hasPrefix(folder + "/out/") || path.hasPrefix(folder + "/said/")
    }

    /// Only lines of printable characters.
    private func expectPlainText(_ said: Data, _ name: String) {
        let text = String(validating: said, as: UTF8.self)
        #expect(text != nil, "\(name)")
        let odd = text?.unicodeScalars.filter { scalar in
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            return (isControl && scalar != "\n") || (0x202A...0x202E).contains(scalar.value)
        }
        #expect(odd?.isEmpty == true, "\(name): \(text.debugDescription)")
    }

    private func names(in subfolder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)").sorted()
    }

    private func said(_ database: HostileDatabase) throws -> String {
        try String(contentsOfFile: "\(folder)/said/\(database.rawValue)", encoding: .utf8)
    }

    /// The output is there where the command has done its work, and nothing else is.
    private func expect(_ statuses: [String: Int], done: Set<HostileDatabase>) throws {
        for database in HostileDatabase.allCases {
            let status = statuses[database.rawValue]
            let hint = "\(database): \(try said(database))"
            #expect((status == 0) == done.contains(database), "\(hint)")
        }
    }

    /// The guard of statements has refused it, not only what comes behind.
    private func expectRefusedText() throws {
        let said = try said(.statements)
        #expect(said.contains("a schema that SQLite did not write"), "\(said)")
    }

    private func expectOutputs(of statuses: [String: Int]) throws {
        let made = statuses.filter { $0.value == 0 }.keys.map { $0 + ".db" }.sorted()
        #expect(try names(in: "out") == made)
        for name in made { try FileManager.default.removeItem(atPath: "\(folder)/out/\(name)") }
    }

    @Test("does nothing but become another one when it is encrypted")
    func encryption() throws {
        try make(HostileDatabase.allCases, encrypted: false)
        let statuses = try run("encrypt in/$f.db out/$f.db --key-file key")
        try expect(statuses, done: [.carried])
        try expectRefusedText()
        try expectOutputs(of: statuses)
    }

    @Test("does nothing when it is looked at")
    func looking() throws {
        try make(HostileDatabase.allCases)
        let checked = try run("check in/$f.db --key-file key")
        #expect(checked["carried"] == 0 && checked["pages"] == 13, "\(checked)")
        let report = try said(.carried)
        for name in ["f0", "f7", "g0", "r0", "h", "m", "z"] {
            #expect(report.contains("\nnot examined: \(name): "))
        }
        try expect(
            run("info in/$f.db --key-file key"), done: [.carried, .statements, .functions, .names])
        _ = try run("doctor in/$f.db --key-file key")
    }

    @Test("does nothing but become another one when it is decrypted, copied or rotated")
    func copying() throws {
        try make(HostileDatabase.allCases)
        let decrypted = try run("decrypt in/$f.db out/$f.db --key-file key")
        try expect(decrypted, done: [.carried])
        try expectRefusedText()
        try expectOutputs(of: decrypted)
        // Pages are copied, not definitions.
        let copied = try run("copy in/$f.db out/$f.db --key-file key")
        #expect(copied["carried"] == 0 && copied["pages"] != 0, "\(copied)")
        try expectOutputs(of: copied)
        for name in HostileDatabase.allCases.map({ $0.rawValue + ".db" }) {
            try FileManager.default.copyItem(
                atPath: "\(folder)/in/\(name)", toPath: "\(folder)/out/\(name)")
        }
        let rotated = try run(
            "rotate-key out/$f.db --key-file key --new-key-file new --page-size 8192")
        try expect(rotated, done: [.carried])
        try expectRefusedText()
        #expect(try names(in: "out").count == HostileDatabase.allCases.count)
    }

    @Test("does nothing but give back its rows when it is salvaged")
    func salvage() throws {
        try make(HostileDatabase.allCases)
        for database in HostileDatabase.allCases {
            let url = URL(fileURLWithPath: "\(folder)/in/\(database.rawValue).db")
            var content = try Data(contentsOf: url)
            content[4096 * 6 + 500] ^= 0xFF
            try content.write(to: url)
        }
        let statuses = try run("salvage in/$f.db out/$f.db --key-file key")
        for database in HostileDatabase.allCases {
            let report = try said(database)
            #expect(statuses[database.rawValue] == 13, "\(database): \(report)")
            let shell = SQLCipherShell(
                path: "\(folder)/out/\(database.rawValue).db", key: .content(Self.key))
            let planted = try shell.cell(
                "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%planted%'")
            #expect(planted == 0)
            let isRefused = [.statements, .planted].contains(database)
            let count = try shell.cell("SELECT count(*) FROM sqlite_schema WHERE name LIKE 's_'")
            #expect(!isRefused || count == 0)
            #expect(try shell.cell("SELECT count(*) FROM filler") != 0)
        }
    }

    @Test("does nothing but answer when it is asked")
    func queries() throws {
        try make([.carried])
        let refusals = HostileDatabase.refusals
        let queries = refusals.map(\.0) + HostileDatabase.queries
        for (number, query) in queries.enumerated() {
            try directory.write(
                query.replacing("BAIT", with: folder + "/bait"), to: "world/home/q\(number)")
        }
        let statuses = try run(
            #"query in/carried.db "$(cat_file home/$f)" --key-file key"#
                .replacing("$(cat_file home/$f)", with: "$(read -r q <home/$f; printf %s \"$q\")"),
            on: queries.indices.map { "q\($0)" })
        for (number, refusal) in refusals.enumerated() {
            let said = try String(contentsOfFile: "\(folder)/said/q\(number)", encoding: .utf8)
            #expect(statuses["q\(number)"] != 0 && said.contains(refusal.1), "\(said)")
        }
    }

    @Test("is stored as it is by a backup")
    func backup() throws {
        try make(HostileDatabase.allCases)
        _ = try run("backup init out/$f")
        let created = try run("backup create in/$f.db --to out/$f --key-file key")
        #expect(created["carried"] == 0, "\(created)")
        let restored = try run(
            "backup restore out/$f out/$f.db --key-file key", on: ["carried"])
        #expect(restored["carried"] == 0, "\(restored)")
    }
}
