import StrongroomTablesCheck
import StrongroomTestSupport
import Testing

/// A table of one row of each affinity.
private let all = """
    CREATE TABLE items (
        id INTEGER PRIMARY KEY, i INTEGER NOT NULL, r REAL NOT NULL, t TEXT NOT NULL,
        b BLOB NOT NULL);
    """

@Suite("Types in sources that are only read")
struct CheckedTypesTests {
    @Test(
        .proves("GEN-012"),
        arguments: [
            ("Bool", "i"), ("UInt8", "i"), ("Swift.Int64", "i"), ("Double", "r"), ("Float", "r"),
            ("Substring", "t"), ("Foundation.Date", "t"), ("UUID", "t"), ("URL", "t"),
            ("Decimal", "t"), ("Data", "b"), ("[UInt8]", "b"), ("Array<Swift.UInt8>", "b"),
            ("(Int)", "i"), ("Level", "i"), ("Outer.Kind", "t"), ("Outer.Money", "i"),
            ("Outer.Code", "t"), ("Outer.Short", "i"), ("Outer.ID", "t"), ("Item.ID", "i"),
            ("Item.PrimaryKey", "i"), ("Level.RawValue", "i"), ("App.Level", "i"),
        ])
    func `types known by name have their affinity`(type: String, fitting: String) throws {
        try Self.expect(type, "", fitting)
    }

    @Test(
        .proves("GEN-012"),
        arguments: [
            ("Date.UnixTimeRepresentation", "i"), ("Date.UnixTimeRepresentation.Subsecond", "r"),
            ("Date.JulianDayRepresentation", "r"), ("Date.MicrosecondRepresentation", "t"),
            ("UUID.BytesRepresentation", "b"), ("UUID.UppercasedRepresentation", "t"),
            ("[Outer.Money].JSONRepresentation", "t"), ("JSONOf<[Int]>", "t"),
            ("Unknown.JSONBRepresentation", "b"), ("Plain.RawRepresentation", "t"),
            ("RawValueOf<Plain>", "t"), ("StrongroomTables.JSONBOf<[Int]>", "b"),
        ])
    func `representations have their affinity`(type: String, fitting: String) throws {
        try Self.expect("Whatever", "@Column(as: \(type).self) ", fitting)
    }

    private static func expect(_ type: String, _ attribute: String, _ fitting: String) throws {
        for column in [fitting, fitting == "b" ? "t" : "b"] {
            let others = ["i": "Int", "r": "Double", "t": "String", "b": "Data"]
                .filter { $0.key != column }.map { "var \($0.key): \($0.value)\n" }.joined()
            let result = try CheckedPackage(
                """
                @Table struct Item {
                    let id: Int
                    \(attribute)var \(column): \(type)
                    \(others)
                }
                enum Level: Int, QueryBindable { case low }
                enum Plain: String { case a }
                extension Outer {
                    enum Kind: String { case a, b }
                    typealias Short = UInt16
                }
                enum Outer {
                    typealias ID = UUID
                    struct Code: LosslessStringConvertible, QueryBindable {}
                    struct Money: RawRepresentable { let rawValue: Int }
                }
                extension Outer.Kind: QueryBindable {}
                extension Outer.Money: StrongroomTables.QueryBindable {}
                """, schema: all
            ).run()
            #expect(result.status == (column == fitting ? 0 : 1), "\(column): \(result.text)")
            #expect(!result.text.contains("not checked"), "\(result.text)")
        }
    }

    @Test(
        .proves("GEN-012"),
        arguments: [
            ("JSONOf<[Int]?>", true), ("Optional<[Int]>.JSONRepresentation", true),
            ("[Int]?.JSONRepresentation", true), ("Marks.JSONRepresentation", true),
            ("StrongroomTables.JSONOf<Marks>", true), ("[Int?].JSONRepresentation", false),
            ("JSONOf<[Int]>", false), ("List.JSONRepresentation", false),
        ])
    func `a document of an optional takes NULL`(type: String, isOptional: Bool) throws {
        for isBound in [true, false] {
            var package = CheckedPackage(
                """
                typealias Marks = [Int]?
                typealias List = [Int]
                @Table struct Item {
                    let id: Int
                    @Column(as: \(type).self) var t: Whatever
                }
                """,
                schema:
                    "CREATE TABLE items (id INTEGER PRIMARY KEY, t TEXT"
                    + (isBound ? " NOT NULL)" : ")")
            )
            package.options = ["--strict"]
            let result = try package.run()
            #expect((result.status == 1) == (isBound == isOptional), "\(result.text)")
        }
    }

    @Test(.proves("GEN-012"))
    func `types that are not known are not judged, and that is said once`() throws {
        try CheckedPackage(
            """
            @Table struct Item<Value> {
                let id: Int
                var i: Money  // note: cannot tell how 'Money' is stored
                var r: Money
                @Column(as: Cents.self) var t: Int  // note: cannot tell how 'Cents' is stored
                var b: Value  // note: cannot tell how 'Value' is stored
            }
            struct Cents: ValueRepresentation {}
            """, schema: all
        ).expectRemarks()
        // An own binding is what only the compiler understands.
        try CheckedPackage(
            """
            @Table struct Item {
                let id: Int
                var i: Level  // note: cannot tell how 'Level' is stored
                var r: Double
                var t: String
                var b: Data
            }
            enum Level: String, QueryBindable { var queryBinding: QueryBinding { .int(1) } }
            """, schema: all
        ).expectRemarks()
    }

    @Test(.proves("GEN-012"))
    func `a type that may be a group of columns hides none of them`() throws {
        try CheckedPackage(
            """
            @Table struct Item {
                let id: Int
                var place: Place  // note: cannot tell how 'Place' is stored
                var missing: Int  // error: items.missing:
            }
            """, schema: all
        ).expectRemarks()
        try CheckedPackage(
            """
            @Table struct Item {  // error: items.t: the type has no property | warning: items.r: the type
                let id: Int
                @Column("place") var place: Place  // error: items.place: | note: cannot tell how 'Place' is stored
            }
            """, schema: "CREATE TABLE items (id INTEGER PRIMARY KEY, r REAL, t TEXT NOT NULL)"
        ).expectRemarks()
    }

    @Test(.proves("GEN-012"))
    func `groups, keys of several columns and enum tables have the columns of their members`()
        throws
    {
        try CheckedPackage(
            """
            @Table struct Seat: Identifiable {
                @Selection struct ID { let row: Int; @Column("seat_number") let number: Int }
                let id: ID
                var place: Place?
                var ticket: Ticket
            }
            @Selection struct Place {
                var hall = ""  // error: seats.hall: String? is stored as text
                var wing: Wing
            }
            @Selection struct Wing { var floor: Int }  // error: seats.floor: Seat.place.wing.floor is
            @Selection enum Ticket { case paid(Double); case free }
            """,
            schema: """
                CREATE TABLE seats (
                    "row" INTEGER NOT NULL, seat_number INTEGER NOT NULL, hall INTEGER, paid REAL,
                    free INTEGER, PRIMARY KEY ("row", seat_number));
                """
        ).expectRemarks()
        let twice = try CheckedPackage(
            """
            @Table struct Item { let id: Int; var first: Place; var second: Place }
            @Selection struct Place { var hall = "" }
            """, schema: "CREATE TABLE items (id INTEGER PRIMARY KEY, hall TEXT NOT NULL)"
        ).run()
        #expect(twice.text.contains("declares it twice, by 'first.hall' and 'second.hall'"))
        #expect(twice.text.contains("note: it is a column of this group"))
    }

    @Test(.proves("GEN-012"))
    func `tables are found in types, extensions and branches, and not in functions`() throws {
        try CheckedPackage(
            """
            enum App { struct Models {} }
            extension App.Models {
                @Table("a") struct First { let id: Int; var other: Second.ID }
                @Table("b") public struct Second { let id: UUID }  // error: b.id: UUID is stored
            }
            #if os(Linux)
            @Table("c") struct Third { let id: Int; var gone: Int }  // error: c.gone
            #elseif false
            @Table("c") struct Third { let id: Int; var hidden: Int }
            #else
            @Table("c") struct Third { let id: Int; var lost: Int }  // error: c.lost
            #endif
            func test() {
                @Table("d") struct Local { let id: Int }
            }
            class Screen {
                lazy var view: Int = { struct Item {}; return 1 }()
                @StrongroomTables.Table("e") struct Inner { let id: Int }  // error: e: Screen.Inner is
            }
            """,
            schema: """
                CREATE TABLE a (id INTEGER PRIMARY KEY, other TEXT NOT NULL);
                CREATE TABLE b (id INTEGER NOT NULL PRIMARY KEY);
                CREATE TABLE c (id INTEGER PRIMARY KEY);
                """
        ).expectRemarks()
    }

    @Test(.proves("GEN-012"))
    func `a name means the type of its file, then of its target`() throws {
        try CheckedPackage(
            [
                (
                    "App",
                    """
                    private enum Level: String, QueryBindable { case low }
                    @Table("a") struct First { let id: Int; var level: Level }
                    """
                ),
                (
                    "App",
                    """
                    @Table("b") struct Second { let id: Int; var level: Kind; var other: Double }
                    """
                ),
                ("App", "enum Kind: Int, QueryBindable { case a }"),
                ("Widget", "enum Kind: String, QueryBindable { case a }"),
                ("Widget", "enum Level: Int, QueryBindable { case a }"),
                (
                    "Other",
                    """
                    @Table("b") struct Second { let id: Int; var level: Int
                        var other: Kind }  // note: cannot tell how 'Kind' is stored
                    """
                ),
            ],
            schema: """
                CREATE TABLE a (id INTEGER PRIMARY KEY, level TEXT NOT NULL);
                CREATE TABLE b (id INTEGER PRIMARY KEY, level INTEGER NOT NULL, other REAL NOT NULL);
                """
        ).expectRemarks()
    }
}
