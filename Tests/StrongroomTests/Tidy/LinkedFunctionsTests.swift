import Foundation
import StrongroomTestSupport
import Testing

/// What of SQLCipher's C API is linked: a function that some builds lack would keep programs from
/// starting there.
@Suite struct LinkedFunctionsTests {
    /// The names that UTL-010 lists, a `*` at the end of some.
    private static let listed: [String] = {
        let line = SourceTree.files.first { $0.path == "Documentation/Features.md" }?
            .lines.first { $0.contains(" UTL-010 ") }
        return (line ?? "").matches(of: #/[a-z][a-z0-9_]*\*?/#).map { String($0.0) }
    }()

    private func linkedFunctions() throws -> Set<String> {
        let folder = "\(PackageFiles.builtProducts)/StrongroomCore.build"
        let objects = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".o") }.map { "\(folder)/\($0)" }
        // Names of Swift are many, and long.
        let script = #"nm -u "$@" | sed -n 's/.* U sqlite3_//p' | sort -u"#
        let result = try Subprocess.run("sh", ["-c", script, "sh"] + objects)
        try #require(result.isSuccess, "\(result.errorText)")
        return Set(result.outputText.split(separator: "\n").map(String.init))
    }

    @Test(.proves("UTL-010"))
    func `The library links the functions that are listed, and none that builds may lack`() throws {
        let linked = try linkedFunctions()
        #expect(linked.isSuperset(of: ["open_v2", "key_v2", "step", "backup_step"]))
        let optional = linked.filter { $0.hasPrefix("snapshot_") || $0.hasPrefix("preupdate_") }
        #expect(optional.isEmpty)
        let unlisted = linked.filter { name in
            !Self.listed.contains { entry in
                entry.hasSuffix("*") ? name.hasPrefix(entry.dropLast()) : name == entry
            }
        }
        #expect(unlisted.isEmpty, "UTL-010 does not list \(unlisted.sorted())")
    }
}
