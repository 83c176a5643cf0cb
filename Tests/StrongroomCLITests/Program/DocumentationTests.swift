import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `Documentation/CommandLine.md` tells of everything that there is.
@Suite struct DocumentationTests {
    private let text: String

    init() throws {
        text = try String(
            contentsOfFile: PackageFiles.path(of: "Documentation/CommandLine.md"), encoding: .utf8)
    }

    @Test func `every command and every option is documented`() {
        for syntax in CommandList.syntaxes {
            let usage = ([syntax.name] + syntax.operands.map(\.name)).joined(separator: " ")
            let documented = text.replacing(#/[\[\]]/#, with: "")
            #expect(documented.contains("| `\(usage)` |"), "\(usage)")
            for option in syntax.options {
                #expect(text.contains("--\(option.name)"), "--\(option.name)")
            }
        }
    }

    @Test func `every exit status is documented, as number and as name`() {
        for code in ExitCode.allCases {
            #expect(isDocumented(code), "\(code)")
            if code != .done { #expect(text.contains("`\(code.name)`"), "\(code)") }
        }
    }

    private func isDocumented(_ code: ExitCode) -> Bool {
        [
            "| \(code.rawValue) |", "| \(code.rawValue), ", ", \(code.rawValue),",
            ", \(code.rawValue) |",
        ]
        .contains { text.contains($0) }
    }

    @Test(arguments: ["info", "check", "copy", "rotate-key", "keygen"])
    func `every name in the JSON is documented`(command: String) throws {
        let fixture = try CommandLineFixture()
        let newKey = try fixture.directory.write(CommandLineFixture.otherKey, to: "new.key")
        let run =
            switch command {
            case "copy": try fixture.runOnDatabase(command, fixture.path("out.db"), "--json")
            case "rotate-key":
                try fixture.runOnDatabase(command, "--new-key-file", newKey, "--json")
            case "keygen": try fixture.run(command, fixture.path("made.key"), "--json")
            default: try fixture.runOnDatabase(command, "--json")
            }
        let object = try #require(run.json as? [String: Any])
        #expect(!object.isEmpty)
        for name in object.keys { #expect(text.contains("`\(name)`"), "\(command): \(name)") }
    }

    @Test func `every name in the JSON of backup status is documented in its row`() throws {
        let fixture = try CommandLineFixture()
        let repository = fixture.path("repository")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        let creation = try fixture.run(
            "backup", "create", fixture.database, "--to", repository, "--key-file", fixture.keyFile)
        #expect(creation.exitCode == .done)
        let status = try fixture.run("backup", "status", repository, "--json").json
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `backup status` | `ok`") }
        let row = try #require(rows.first)
        let names = Self.names(in: try #require(status))
        #expect(names.isSuperset(of: ["state", "goneOn", "damage", "databases", "last"]))
        for name in names { #expect(row.contains("`\(name)`"), "\(name)") }
    }

    @Test func `the session of the guide to keyrings removes a slot that it has added`() throws {
        let guide = try String(
            contentsOfFile: PackageFiles.path(of: "Documentation/Keyrings.md"), encoding: .utf8)
        let session = guide.split(separator: "\n").filter { $0.hasPrefix("    strongroom key ") }
        let added = session.compactMap {
            $0.firstMatch(of: #/key add .*--(?:passphrase|name) (\S+)/#)?.1
        }
        let removed = session.compactMap { $0.firstMatch(of: #/key remove \S+ (\S+)/#)?.1 }
        #expect(!removed.isEmpty && Set(removed).isSubset(of: added), "\(removed) of \(added)")
    }

    /// The names in an object and in those inside of it, but in `last`, which `backup list` explains.
    private static func names(in value: Any) -> Set<String> {
        if let values = value as? [Any] { return Set(values.flatMap { names(in: $0) }) }
        guard let object = value as? [String: Any] else { return [] }
        return object.reduce(into: []) { result, member in
            result.insert(member.key)
            if member.key != "last" { result.formUnion(names(in: member.value)) }
        }
    }
}
