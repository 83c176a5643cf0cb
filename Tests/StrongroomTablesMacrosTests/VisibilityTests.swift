import StrongroomTestSupport
import Testing

@Suite("Tables inside of other types") struct VisibilityTests {
    @Test(.proves("TYP-11"))
    func `A table is seen as far as it and all types around it`() throws {
        try MacroClient(
            """
            enum Port {
                @Table public struct Ship { public let id: Int; public var name = "" }
                @Selection public struct Row { public let name: String }
            }
            public enum Town {
                @Table public struct Street { public let id: Int; public var name = "" }
                fileprivate enum Hidden { @Table public struct Lane { public let id: Int } }
            }
            open class Shop {
                @Table public struct Item { public let id: Int }
            }
            public extension Town {
                @Table struct Bridge { public let id: Int; public var length: Double }
                enum Square { @Table public struct Stall { public let id: Int } }
                @Table internal struct Wall { let id: Int }
            }
            extension Town {
                @Table struct Gate { let id: Int }
                @Table public struct Tower { public let id: Int }
            }
            fileprivate extension Port { @Table struct Crane { let id: Int } }
            public func inlined(_ bridge: Town.Bridge.Draft, _ stall: Town.Square.Stall.Columns) {}
            public func inlined(_ street: Town.Street.Draft, _ item: Shop.Item.TableColumns) {}
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TYP-11"))
    func `An extension shows with the compiler's errors what to write instead`() throws {
        let hidden = try hints(
            """
            enum Port {}
            extension Port { @Table public struct Ship { public let id: Int } }
            """)
        #expect(hidden == ["in an extension of a less visible type: write it without 'public'"])
        let generic = try hints(
            """
            struct Page<Content> {}
            extension Page { @Table struct Entry { let id: Int } }
            """)
        #expect(generic == ["of a generic type: declare it in the type, not in an extension"])
        let none = try hints(
            """
            public enum Port {}
            extension Port { @Table public struct Ship { public let id: Int } }
            struct Page<Content> { @Table struct Entry { let id: Int } }
            """)
        #expect(none.isEmpty)
    }

    /// The comments at the ends of the lines that the compiler shows with its errors.
    private func hints(_ source: String) throws -> Set<String> {
        let remarks = try MacroClient.remarks(
            compiling: "Client.swift",
            of: ["Client.swift": "public import StrongroomTables\n" + source])
        return Set(remarks.matches(of: #/  \/\/ ([^\n]+)/#).map { String($0.1) })
    }
}
