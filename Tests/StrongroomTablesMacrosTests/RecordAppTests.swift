import Foundation
import StrongroomTestSupport
import Testing

/// Apps that were written for records, with `@Table` at each record that is stored.
@Suite struct RecordAppTests {
    @Test(.proves("NAM-006"), arguments: ["Ledger", "Legacy"])
    func `adding '@Table' to the records of an app keeps every line compiling`(
        app: String
    ) throws {
        let folder = PackageFiles.path(of: "Tests/Apps/\(app)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Tests.swift") }
        var sources: [String: String] = [:]
        var count = 0
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let (marked, records) = Self.marked(text)
            sources[name] = marked
            count += records
        }
        #expect(count >= 1)
        let output = try MacroClient.errors(inFiles: sources)
        #expect(output == [])
    }

    /// The file with the import of the tables, and `@Table` in front of each struct that is stored.
    ///
    /// Where a file names Strongroom's own `Table`, it keeps its import: with the other one, the name
    /// means a protocol.
    private static func marked(_ text: String) -> (text: String, records: Int) {
        var records = 0
        if text.contains(" Table(\"") { return (text, 0) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line == "import Strongroom" { return "import StrongroomTables" }
            guard line.contains("struct "), line.contains("PersistableRecord") else {
                return String(line)
            }
            records += 1
            return "@Table " + line
        }
        return (lines.joined(separator: "\n"), records)
    }
}
