import Foundation
import StrongroomTestSupport
import Testing

@Suite("The names of both layers")
struct NameTests {
    /// The names of the types that a product declares, by the record of its API.
    private func types(of product: String) throws -> Set<String> {
        let path = PackageFiles.path(of: "Documentation/API/\(product).txt")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let names = lines.filter { !$0.contains(" | ") }.compactMap { line in
            line.firstMatch(of: #/\b(?:struct|class|enum|protocol|actor|typealias) (\w+)/#)
                .map { String($0.1) }
        }
        return Set(names)
    }

    @Test(
        "Two names of Strongroom mean something else here, and no other",
        .proves("NAM-001", "TYP-08"))
    func types() throws {
        let core = try types(of: "Strongroom")
        let typed = try types(of: "StrongroomTables")
        #expect(core.contains("Row") && typed.contains("PrimaryKeyedTable"))
        #expect(core.intersection(typed) == ["Table", "Statement"])
        try MacroClient(
            """
            func typed(_ type: any Table.Type, _ statement: any Statement) {}
            func core(_ table: Strongroom.Table<Row>, _ statement: Strongroom.Statement) {}
            struct Info<Base: Table> { var base: Base }
            """
        ).expectDiagnostics()
        try MacroClient(
            """
            import Strongroom
            func core(_ table: Strongroom.Table<Row>) {}
            struct Info<Base: StrongroomTablesRuntime.Table> { var base: Base }
            func named(_ statement: any StrongroomTablesRuntime.Statement) {}
            func either(_ type: any Table.Type) {} // error: 'Table' is ambiguous for type lookup
            func one(_ statement: any Statement) {} // error: 'Statement' is ambiguous for type lookup
            """
        ).expectDiagnostics()
    }
}
