import Foundation
import StrongroomTestSupport
import Testing

@Suite("Types that cannot be columns")
struct ColumnCheckTests {
    /// Types that nothing stores by itself.
    private static let types = """
        struct Color { static let red = Color() }
        struct Shade: Codable { var red = 1 }
        enum Rank: Int { case low }
        enum Grade: String, Codable { case low }
        """

    @Test(
        "The error stands at the property, and says how the value could be stored",
        .proves("TBL-048"))
    func properties() throws {
        try MacroClient(
            """
            \(Self.types)
            @Table struct Item {
                let id: Int
                var color: Color // error: 'Color' cannot be stored in a column (from | note: Add '@Column(as: <#Representation.self#>)' | note: Add '@Ephemeral'
                var shade: Shade // error: 'Shade' cannot be stored in a column (from | note: Add '@Column(as: Shade.JSONRepresentation.self)' | note: Add '@Column(as: Shade.JSONBRepresentation.self)'
                var rank: Rank // error: 'Rank' cannot be stored in a column; make it 'QueryBindable' | note: Add '@Column(as: Rank.RawRepresentation.self)'
                var grade: Grade // error: 'Grade' cannot be stored in a column; make it 'QueryBindable'
                @Column("p") var pair: (Int, String) // error: '(Int, String)' cannot be stored | note: Add 'as: <#Representation.self#>'
                @Ephemeral var hidden = Color()
                static let shared = Color()
                var computed: Color { Color() }
            }
            @Selection struct Row {
                let color: Color // error: 'Color' cannot be stored in a column
            }
            """
        ).expectDiagnostics()
    }

    @Test("The likeliest fix comes first, and keeps what the attribute says", .proves("TBL-048"))
    func fixIts() throws {
        #expect(
            try Self.fixes(of: "var grade: Grade") == [
                "@Column(as: Grade.RawRepresentation.self) ",
                "@Column(as: Grade.JSONRepresentation.self) ",
                "@Column(as: Grade.JSONBRepresentation.self) ",
                "@Column(as: <#Representation.self#>) ", "@Ephemeral ",
            ])
        #expect(
            try Self.fixes(of: "@Column(\"g\") var rank: Rank") == [
                ", as: Rank.RawRepresentation.self", ", as: <#Representation.self#>", "@Ephemeral ",
            ])
        #expect(
            try Self.fixes(of: "@Column(lazyInitializable: true) var shade: Shade").first
                == "as: Shade.JSONRepresentation.self, ")
    }

    @Test("What a fix writes compiles", .proves("TBL-048"))
    func fixed() throws {
        let text = try MacroClient(
            """
            \(Self.types)
            @Table struct Item {
                let id: Int
                @Column(as: Grade.RawRepresentation.self) var grade: Grade?
                @Column("g", as: Rank.RawRepresentation.self) var rank: Rank
                @Column(as: Shade.JSONRepresentation.self) var shade: Shade
                @Column(as: Shade.JSONBRepresentation.self) var other: Shade?
            }
            """
        ).expansions()
        #expect(!text.contains("_ColumnCheck"))
    }

    @Test("Without a type, the default is named", .proves("TBL-049"))
    func defaults() throws {
        try MacroClient(
            """
            \(Self.types)
            @Table struct Item {
                let id: Int
                var color = Color() // error: 'Color()' cannot be stored in a column (from
                var other = Color.red // error: 'Color.red' cannot be stored in a column
                var grade = Grade.low // error: 'Grade.low' cannot be stored in a column (from
            }
            """
        ).expectDiagnostics()
        #expect(
            try Self.fixes(of: "var shade = Shade()") == [
                "@Column(as: <#Representation.self#>) ", "@Ephemeral ",
            ])
    }

    @Test("An optional is what it wraps", .proves("TBL-050"))
    func optionals() throws {
        try MacroClient(
            """
            \(Self.types)
            typealias Maybe<T> = T?
            @Table struct Item {
                let id: Int
                var color: Color? // error: 'Color' cannot be stored in a column
                var shade: Optional<Shade> // error: 'Shade' cannot be stored | note: Add '@Column(as: Shade.JSONRepresentation.self)'
                var rank: Rank?? // error: 'Rank' cannot be stored in a column; make it
                var wrapped: Maybe<Color> // error: 'Maybe<Color>' cannot be stored in a column
            }
            """
        ).expectDiagnostics()
    }

    @Test(
        "What can be stored is asked about, and nothing is said", .proves("TBL-050"),
        arguments: [[], ["-default-isolation", "MainActor"]])
    func storable(options: [String]) throws {
        let text = try MacroClient(
            """
            nonisolated struct Both: Codable, Hashable, QueryBindable, RawRepresentable {
                let rawValue: Int
            }
            nonisolated struct ID<Row>: QueryBindable, RawRepresentable { let rawValue: Int }
            @Selection nonisolated struct Place: Codable { var row = 1; var box = 2 }
            @Selection nonisolated enum Kind { case both(Both), place(Place), number(Int) }
            @Table nonisolated struct Folder { let id: ID<Folder>; let kind: Kind }
            @Table nonisolated struct Item {
                enum Level: Int, QueryBindable { case low }
                let id: ID<Self>
                var level: Level?
                var other = Level.low
                var both: Both
                var place: Place?
                var kind: Kind
                var parent: ID<Self>?
                var bytes: [UInt8]
                static let own = Both(rawValue: 1)
                var own = Self.own
            }
            @Selection struct Pair { let item: Item; let folder: Folder? }
            """
        ).expansions(options)
        for question in [
            #""level", StrongroomTablesRuntime._check((Level).self)"#,
            #""both", StrongroomTablesRuntime._check((Both).self)"#,
            #""folder", StrongroomTablesRuntime._check((Folder).self)"#,
        ] {
            #expect(text.contains("@StrongroomTables._ColumnCheck(\(question))"))
        }
    }

    @Test("A group has no name and is not computed", .proves("TBL-051"))
    func groups() throws {
        try MacroClient(
            """
            @Selection struct Place { var row = 1; var box = 2 }
            @Table struct Item {
                let id: Int
                @Column("place") // error: a group has no name of its own
                var place: Place
                @Column(generated: .stored) let made: Place? // error: a group cannot be generated
                @Column("x", generated: .virtual) // error: a group has no name | error: a group cannot be
                let both: Folder
                @Column("c", generated: .stored) let computed: ID
            }
            @Table struct Folder { let id: Int }
            struct ID: QueryBindable, RawRepresentable { let rawValue: Int }
            """
        ).expectDiagnostics()
        let notes = try Self.fixes(of: "@Column(\"place\") var place: Place")
        #expect(notes.isEmpty)
    }

    @Test("The value of a case, once, whatever the number of cases", .proves("ENM-017"))
    func cases() throws {
        try MacroClient(
            """
            \(Self.types)
            @Selection enum Kind {
                case color(Color) // error: 'Color' cannot be stored in a column
                case number(Int), shade(Shade), none // error: 'Shade' cannot be stored in a column
                @Column("r") case rank(value: Rank) // error: 'Rank' cannot be stored in a column; make it | note: Add 'as: Rank.RawRepresentation.self'
                case grade(Grade) // error: 'Grade' cannot | note: Add '@Column(as: Grade.JSONBRepresentation.self)'
            }
            @Table enum Post {
                case color(Color) // error: 'Color' cannot be stored in a column
                @Column(as: Shade.JSONRepresentation.self) case shade(Shade)
            }
            """
        ).expectDiagnostics()
        let fixes = try Self.fixes(of: "case shade(Shade)", in: "@Selection enum")
        #expect(
            fixes == [
                "@Column(as: Shade.JSONRepresentation.self) ",
                "@Column(as: Shade.JSONBRepresentation.self) ",
                "@Column(as: <#Representation.self#>) ",
            ])
    }

    @Test("A case may have the name of its type", .proves("ENM-001"))
    func casesNamedLikeTypes() throws {
        try MacroClient(
            """
            nonisolated struct Both: QueryBindable, RawRepresentable { let rawValue: Int }
            @Selection struct Place { var row = 1 }
            @Table enum Post { case Both(Both), Place(Place) }
            @Table enum Mark { case number(Int); case Both(Both); case other(Both), Place(Place) }
            @Selection enum Sign { case Both(value: Both), Place(Place) }
            func use() -> [any Any.Type] {
                [type(of: Mark.where { $0.Both.is(Both(rawValue: 1)) }), type(of: Mark.Both(Both(rawValue: 2)))]
            }
            """
        ).expectDiagnostics()
    }

    /// What the fix-its at a member insert, in the order of the compiler.
    private static func fixes(
        of member: String, in type: String = "@Table struct"
    ) throws -> [String] {
        let source = """
            import StrongroomTables
            \(types)
            @Selection struct Place { var row = 1 }
            \(type) Client {
            \(member)
            }
            """
        let lines = try MacroClient.remarks(compiling: "Client.swift", of: ["Client.swift": source])
            .components(separatedBy: "\n")
        return lines.indices.filter { lines[$0].contains(": note: Add '") }.map { index in
            String(lines[index + 3].drop { $0 == " " })
        }
    }
}
