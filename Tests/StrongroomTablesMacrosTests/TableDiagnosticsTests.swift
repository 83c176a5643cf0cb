import StrongroomTestSupport
import Testing

@Suite("What '@Table' refuses, and says to it")
struct TableDiagnosticsTests {
    @Test(.proves("TBL-037", "TBL-038", "TBL-054"))
    func `A table is a struct or an enum with something to store`() throws {
        try MacroClient(
            """
            @Table struct Empty {} // error: '@Table' needs a stored property to make a column of
            @Table struct Computed { // error: '@Table' needs a stored property to make a column of
                var name: String { "" }
                static let count = 1
            }
            @Table final class Item {} // error: '@Table' applies to structs and enums
            @Table actor Agent {} // error: '@Table' applies to structs and enums
            @Selection final class Row {} // error: '@Selection' applies to structs and enums
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TYP-11"))
    func `A private table inside of another type is told to be fileprivate`() throws {
        try MacroClient(
            """
            struct Shop {
                @Table private struct Item { let id: Int } // error: an extension, which '@Table' and '@Selection' write, does not see a 'private' type
                @Selection fileprivate struct Row { let id: Int }
            }
            enum Port {
                private enum Dock {
                    @Table struct Crane { let id: Int } // error: an extension, which '@Table' and '@Selection' write, does not see a 'private' type
                }
            }
            @Table private struct Ship { let id: Int }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-039"))
    func `With both macros, a warning says what each is for`() throws {
        try MacroClient(
            """
            @Table
            @Selection // warning: '@Table' is for rows that are stored | note: Remove '@Selection' | note: Remove '@Table'
            struct Item { let id: Int }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-040"))
    func `A name is a literal with something in it`() throws {
        try MacroClient(
            #"""
            let name = "items"
            @Table("") struct A { let id: Int } // error: a name is written as a string literal
            @Table(nil) struct B { let id: Int } // error: a name is written as a string literal
            @Table(name) struct C { let id: Int } // error: a name is written as a string literal
            @Table("\(name)") struct D { let id: Int } // error: a name is written as a string literal
            @Table("e", schema: "") struct E { let id: Int } // error: a name is written as a string
            @Table struct F {
                let id: Int
                @Column("") var title = "" // error: a name is written as a string literal
                @Column(name) var text = "" // error: a name is written as a string literal
            }
            """#
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-041"))
    func `A representation is written as a type`() throws {
        try MacroClient(
            """
            let form: Date.UnixTimeRepresentation.Type = Date.UnixTimeRepresentation.self
            @Table struct Item {
                let id: Int
                @Column(as: form) var due: Date // error: 'as:' takes a type, written 'X.self'
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-042"))
    func `A second key is refused, and the first one named`() throws {
        try MacroClient(
            """
            @Table struct Item {
                @Column(primaryKey: true) let a: Int // note: the first is here
                @Column("b", primaryKey: true) let b: Int // error: two primary keys; make a key of several | note: Remove 'primaryKey: true'
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-043"))
    func `A column that the database computes is no variable`() throws {
        try MacroClient(
            """
            @Table struct Item {
                let id: Int
                @Column(generated: .stored) let a: Int?
                @Column(generated: .virtual)
                var b: Int? // error: the database computes this column | note: Change to 'let'
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-044"))
    func `Leaving an optional column to the database changes nothing`() throws {
        try MacroClient(
            """
            @Table struct Item {
                let id: Int
                @Column(lazyInitializable: true) var a: Int
                @Column("b", lazyInitializable: true) // warning: 'lazyInitializable' changes nothing | note: Remove 'lazyInitializable: true'
                var b: Int?
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-045"))
    func `A declaration has one property`() throws {
        try MacroClient(
            """
            @Table struct Item {
                let id: Int
                var a = 1, b = 2 // error: one property per declaration | note: Split the declaration
                var (c, d) = (1, 2) // error: one property per declaration
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-046", "TBL-047"))
    func `What no query can fill is refused`() throws {
        try MacroClient(
            """
            @propertyWrapper struct Trimmed { var wrappedValue = "" }
            @Table struct Item {
                let id: Int
                let kind = "x" // error: a 'let' with a value | note: Change to 'var' | note: Add '@Ephemeral'
                @Ephemeral var shown: Bool // error: '@Ephemeral' needs a default for 'shown'
                @Ephemeral var hidden: Bool?
                lazy var size = 1 // error: 'size' is lazy and cannot be a column
                @Trimmed var name: String // error: 'name' has the property wrapper | note: Add '@Ephemeral'
                var title = "" {
                    didSet { print(title) }
                }
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-012"))
    func `A column inside a condition of the compiler is refused`() throws {
        try MacroClient(
            """
            #if DEBUG
            @Table struct Item { let id: Int }
            #else
            @Table struct Item { let id: Int; var title = "" }
            #endif
            @Table struct Tag {
                let id: Int
                #if DEBUG // error: '#if' around a column is not seen by '@Table'
                var name: String?
                #endif
            }
            @Table struct Folder {
                let id: Int
                #if DEBUG
                @Ephemeral var name: String?
                #endif
            }
            """
        ).expectDiagnostics()
    }

    @Test
    func `Two columns of one name, in any case, are refused`() throws {
        try MacroClient(
            """
            @Table struct Item {
                let id: Int // note: the first is here
                @Column("ID") var other: Int // error: column "ID" is declared twice
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-053"))
    func `Generated coding leaves no room for one's own`() throws {
        try MacroClient(
            """
            @Table(coding: .columns) struct Item: Codable {
                let id: Int
                enum CodingKeys: CodingKey { case id } // error: 'coding: .columns' generates 'CodingKeys' | note: Remove 'CodingKeys'
                init(from decoder: any Decoder) throws { id = 1 } // error: 'coding: .columns' generates 'init(from:)'
                func encode(to encoder: any Encoder) throws {} // error: 'coding: .columns' generates 'encode(to:)'
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("TBL-057"))
    func `A public table writes the types that only the compiler knows`() throws {
        try MacroClient(
            """
            @Table public struct Item {
                public let id: Int
                public var title = ""
                public var due = Date() // error: write the type of 'due' | note: Add a type
            }
            @Table struct Folder {
                let id: Int
                var due = Date()
            }
            func draft() { _ = Folder.Draft(due: Date()) }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("ENM-012", "ENM-013", "ENM-014", "ENM-015"))
    func `A case is one column or one group`() throws {
        try MacroClient(
            """
            @Selection enum Bare { // error: no case has a value
                case a, b
            }
            @Selection enum Kind {
                case none
                case two(Int, String) // error: a case holds one value; use a '@Selection' for several
                case maybe(Int?) // error: a case's value cannot be nil | note: Remove '?'
                @Column(primaryKey: true) case key(Int) // error: 'primaryKey' does not apply to a case
                @Column(generated: .stored) case made(Int) // error: 'generated' does not apply
                @Column(lazyInitializable: true) case late(Int) // error: 'lazyInitializable' does not
                @Ephemeral case gone(Int) // error: '@Ephemeral' does not | note: Remove '@Ephemeral'
            }
            """
        ).expectDiagnostics()
    }
}
