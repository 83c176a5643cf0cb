import StrongroomCLI
import Testing

@Suite struct TextTableTests {
    private func table(
        _ header: [String], _ rows: [[TextTable.Cell]]
    ) throws -> String {
        var text = ""
        let output = TextOutput(name: "test", capacity: 0) { bytes in
            text += String(decoding: bytes, as: UTF8.self)
        }
        var table = TextTable(header: header, output: output)
        for row in rows { try table.append(row) }
        try table.finish()
        return text
    }

    @Test func `columns are aligned, numbers to the right`() throws {
        let rows: [[TextTable.Cell]] = [
            [.init("日本"), .init("7", isNumber: true), .init("x")],
            [.init("a"), .init("1234", isNumber: true), .init("long")],
        ]
        #expect(
            try table(["name", "n", "note"], rows) == """
                name  n     note
                ----  ----  ----
                日本     7  x
                a     1234  long

                """)
    }

    @Test func `a table without rows shows its columns`() throws {
        #expect(try table(["a", "bb"], []) == "a  bb\n-  --\n")
    }

    @Test func `later rows are written at once, wider or not`() throws {
        var rows = Array(repeating: [TextTable.Cell("x"), TextTable.Cell("y")], count: 1000)
        rows.append([TextTable.Cell("wider"), TextTable.Cell("z")])
        let lines = try table(["a", "b"], rows).split(separator: "\n")
        #expect(lines.count == 1003)
        #expect(lines[1001] == "x  y")
        #expect(lines[1002] == "wider  z")
    }
}
