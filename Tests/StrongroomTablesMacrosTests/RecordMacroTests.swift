import StrongroomTestSupport
import Testing

@Suite("What '@Record' refuses, and what it leaves to the type")
struct RecordMacroTests {
    @Test(.proves("BYD-033"))
    func `It refuses what it cannot read`() throws {
        try MacroClient(
            """
            @Record final class Item { var id = 0 } // error: '@Record' applies to structs; a class declares
            @Record enum Kind { case a } // error: '@Record' applies to structs; a class declares
            @Record struct Empty { var text: String { "" } } // error: '@Record' needs a stored property
            @propertyWrapper struct Trimmed { var wrappedValue: String }
            @Record struct Wrapped {
                @Trimmed var name: String // error: 'name' has the property wrapper '@Trimmed'
            }
            @Record struct Pair {
                var (a, b) = (1, 2) // error: '@Record' takes properties with a name each
            }
            @Record struct Conditional {
                var id: Int
                #if DEBUG // error: '#if' around a property is not seen by '@Record'
                var note = ""
                #endif
            }
            @Record // error: '@Table' reads and writes the columns already | note: Remove '@Record'
            @Table struct Both { let id: Int }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("BYD-033"))
    func `Keys and properties belong together`() throws {
        try MacroClient(
            """
            @Record struct Item {
                enum CodingKeys: String, CodingKey {
                    case id
                    case gone // error: there is no stored property 'gone'
                }
                var id: Int
                var left: String // error: 'left' has no coding key, and no default
                var hasDefault = 1
                var isNil: Int?
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("BYD-032", "BYD-033"))
    func `A coding that it does not call gives a warning`() throws {
        try MacroClient(
            """
            @Record struct Item: Codable {
                var id: Int
                init(from decoder: any Decoder) throws { id = 1 } // warning: '@Record' reads and writes the properties, and
                func encode(to encoder: any Encoder) throws {} // warning: '@Record' reads and writes the properties, and
            }
            @Record struct Own: PersistableRecord {
                var id: Int
                func encode(to container: inout PersistenceContainer) { container["id"] = id }
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("BYD-032"))
    func `The type keeps what it declares, and gets what is missing`() throws {
        try MacroClient(
            """
            @Record struct Read: FetchableRecord { let id: Int }
            @Record struct Written: PersistableRecord { let id: Int }
            @Record struct Neither { let id: Int }
            @Record struct Later { let id: Int }
            extension Later: FetchableRecord, PersistableRecord {}
            @Record struct Box<Value: DatabaseValueConvertible & Sendable>: FetchableRecord, PersistableRecord {
                static var databaseTableName: String { "box" }
                var value: Value
                var other: Value?
            }
            public enum Space {
                @Record public struct Inner: FetchableRecord, MutablePersistableRecord {
                    public enum Columns { static let id = "id" }
                    public var id: Int64?
                    public mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
                }
            }
            func takesFetchable(_ type: (some FetchableRecord).Type) {}
            func takesEncodable(_ type: (some EncodableRecord).Type) {}
            func takesTable(_ type: (some PersistableRecord).Type) {}
            func check() {
                takesFetchable(Read.self)
                takesEncodable(Written.self)
                takesFetchable(Neither.self)
                takesEncodable(Neither.self)
                takesTable(Later.self)
                takesFetchable(Later.self)
                takesTable(Box<Int>.self)
                let names: [String] = [Read.Columns.id.name, Box<Int>.Columns.other.name, Space.Inner.Columns.id]
                _ = names
                takesEncodable(Read.self) // error: global function 'takesEncodable' requires that 'Read' conform to
                takesFetchable(Written.self) // error: global function 'takesFetchable' requires that 'Written' conform
            }
            """
        ).expectDiagnostics()
    }
}
