import StrongroomTestSupport
import Testing

@Suite("What the macros write")
struct ExpansionTests {
    private static let item = """
        @Table struct Item: Identifiable {
            let id: Int
            var title = ""
            var isDone = false
            var stars: Int?
            var level: Level?
            var due: Date?
            var weight = 1.5
            @Column(as: Date.UnixTimeRepresentation.self) var at: Date
            @Column("folder_id") var folderID: Int
            @Ephemeral var isShown = false
        }
        enum Level: Int, QueryBindable { case low = 1, medium, high }
        """

    @Test(
        "The expansion is as it was, and as short as it was",
        .proves("MOD-010"))
    func table() throws {
        let text = try MacroClient(Self.item).expansions()
        #expect(text.split(separator: "\n").count <= 130)
        try GoldenFile("Tables/Item.txt").expect(text)
    }

    @Test(
        "Groups, keys of several columns, and what the database fills in")
    func groups() throws {
        try GoldenFile("Tables/Visit.txt").expect(
            try MacroClient(
                """
                @Table public struct Visit: Sendable {
                    @Selection public struct ID: Hashable, Sendable {
                        public let guest: Int
                        public let day: Int
                    }
                    public let id: ID
                    @Column(generated: .stored) public let score: Double?
                    @Column("created_at", lazyInitializable: true) public var createdAt: Date
                    public var isNew = true
                }
                """
            ).expansions())
    }

    @Test("A table in a namespace names what stands beside it")
    func nested() throws {
        try GoldenFile("Tables/Shop.txt").expect(
            try MacroClient(
                """
                public enum Shop {
                    public enum Kind: String, QueryBindable, Codable { case retail, trade }
                    @Table public struct Customer: Identifiable {
                        public let id: Int
                        public var kind: Kind = .retail
                        public var former: Kind?
                        public var first: Kind = Kind.trade
                        @Column(as: [Kind].JSONRepresentation.self) public var others: [Kind]
                    }
                }
                """
            ).expansions())
    }

    @Test("A record reads and writes its properties")
    func record() throws {
        try GoldenFile("Tables/Player.txt").expect(
            try MacroClient(
                """
                @Record public struct Player: FetchableRecord, PersistableRecord {
                    enum CodingKeys: String, CodingKey { case id, name = "full_name", `default` }
                    public let id: Int64
                    public var name: String
                    public var `default`: [Int]?
                    var cache = 0
                }
                @Record struct Line { let kind = "line", text: String }
                """
            ).expansions())
    }

    @Test("The cases of an enum are columns")
    func cases() throws {
        try GoldenFile("Tables/Kind.txt").expect(
            try MacroClient(
                """
                @Selection enum Kind { case note(String = ""), page(number: Int), empty }
                """
            ).expansions())
    }

    @Test(
        "No warning and no ambiguity next to types with the names of others",
        .proves("MOD-008", "MOD-009", "TBL-005", "TBL-007", "TBL-011"))
    func names() throws {
        let client = MacroClient(
            """
            struct Table {}
            struct Column {}
            struct Selection {}
            struct Optional {}
            struct String {}
            struct Date {}
            struct Int {}
            @Table struct Item {
                enum Level: Swift.Int, QueryBindable { case low, high }
                let id: Swift.Int
                var `class` = ""
                var count = 1
                var level = Level.low
                var other: Self.Level?
            }
            enum Outer {
                @Table struct Inner { let id: UUID; /* a note */ var name: Swift.String? // another
                }
            }
            @Table struct Info<Base: Sendable> { var name: Swift.String }
            func draft() -> [Item.Draft] { [Item.Draft(level: .high), Item.Draft()] }
            """
        )
        #expect(try client.expansions().contains("extension Outer.Inner: StrongroomTablesRuntime."))
        let isolated = try client.expansions(["-default-isolation", "MainActor"])
        #expect(isolated.contains("nonisolated extension Item:"))
    }

    @Test("Columns may have generic types that are made of the table's own parameters")
    func genericColumns() throws {
        let text = try MacroClient(
            """
            nonisolated struct ID<Base>: QueryBindable, RawRepresentable { let rawValue: Int }
            @Table struct Info<Base> {
                let id: ID<Base>?
                var own: ID<Self>?
                var other: ID<Base>
                var text = ""
            }
            @Selection struct Pair<Base> { let first: ID<Base>; let second: ID<Base>? }
            @Selection enum Either<Base> { case left(ID<Base>), right(Int) }
            func use() -> [QueryFragment] {
                [
                    Info<Int>.where { $0.other.eq(ID<Int>(rawValue: 1)) }.select {
                        Info<Int>.Columns(id: $0.id, own: $0.own, other: $0.other, text: "a")
                    }.query,
                    Info<Int>.insert { Info<Int>.Draft(other: ID(rawValue: 2)) }.query,
                    Info<Int>.select { Pair<Int>.Columns(first: $0.other, second: $0.id) }.query,
                    Info<Int>.select { Either<Int>.Columns.left($0.other) }.query,
                ]
            }
            """
        ).expansions()
        #expect(!text.isEmpty)
    }

    @Test(
        "Columns may have the names that the runtime uses")
    func awkwardNames() throws {
        let text = try MacroClient(
            """
            @Table struct Awkward {
                let id: Int
                var query = 1; var `where` = 2; var description = 3; var hashValue = 4
                var select = 5; var `init` = 6; var order = 7; var value = 8; var row = 9
            }
            func column() -> Any { Awkward.columns.`init` }
            """
        ).expansions()
        #expect(!text.isEmpty)
    }
}
