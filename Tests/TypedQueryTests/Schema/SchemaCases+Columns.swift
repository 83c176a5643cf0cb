import StrongroomTables

extension SchemaCase {
    /// GEN-004 and GEN-003: values that the column would keep in another way.
    static let affinities = [
        SchemaCase(
            testDescription: "a date as text in a column of integers",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT NOT NULL, due INTEGER); "
                + "INSERT INTO crates VALUES (1, 'x', 1700000000), "
                + "(2, 'y', '2024-05-06 07:08:09.000')",
            types: [Crate.self],
            found: [
                "error: crates.due: Date? is stored as text, the column is INTEGER — "
                    + "'@Column(as: Date.UnixTimeRepresentation.self)'"
            ],
            rows: (
                "SELECT due FROM crates",
                ["\"2023-11-14 22:13:20.000\"", "\"2024-05-06 07:08:09.000\""]
            )),
        SchemaCase(
            testDescription: "a date as text in a column of Julian days",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT NOT NULL, due REAL); "
                + "INSERT INTO crates VALUES (1, 'x', 2460000.5)",
            types: [Crate.self],
            found: [
                "error: crates.due: Date? is stored as text, the column is REAL — "
                    + "'@Column(as: Date.JulianDayRepresentation.self)'"
            ],
            rows: ("SELECT due FROM crates", ["\"2023-02-25 00:00:00.000\""])),
        SchemaCase(
            testDescription: "UUIDs and dates the other way round",
            sql: """
                CREATE TABLE crates (id BLOB PRIMARY KEY NOT NULL, owner TEXT, due TEXT);
                INSERT INTO crates VALUES (x'00112233445566778899AABBCCDDEEFF',
                    '00112233-4455-6677-8899-aabbccddeeff', '2023-11-14 22:13:20')
                """,
            types: [CrateWithUUID.self],
            found: [
                "error: crates.id: UUID is stored as text, the column is BLOB — "
                    + "'@Column(as: UUID.BytesRepresentation.self)'",
                "error: crates.owner: UUID? is stored as a blob, the column is TEXT — "
                    + "declare the column as BLOB",
                "error: crates.due: Date? is stored as an integer, the column is TEXT — "
                    + "declare the column as INTEGER",
            ],
            rows: (
                "SELECT id, hex(owner), due FROM crates",
                [
                    "\"00112233-4455-6677-8899-aabbccddeeff\" "
                        + "\"00112233445566778899AABBCCDDEEFF\" 1700000000"
                ]
            )),
        SchemaCase(
            testDescription: "a strict table",
            sql:
                "CREATE TABLE crates (id INTEGER PRIMARY KEY, total TEXT, "
                + "price REAL NOT NULL DEFAULT 0) "
                + "STRICT; INSERT INTO crates VALUES (1, '12', 2.5)",
            types: [CrateWithPrice.self],
            found: [
                "error: crates.total: Int? is stored as an integer, the column is TEXT — "
                    + "declare the column as INTEGER"
            ],
            rows: ("SELECT * FROM crates", ["1 12 2.5"])),
    ]

    /// GEN-005.
    static let warnings = [
        SchemaCase(
            testDescription: "an optional property of a column that takes no NULL",
            sql:
                "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                + "due TEXT NOT NULL)",
            types: [Crate.self],
            found: [
                "warning: crates.due: Date? takes NULL, the column is NOT NULL — "
                    + "make the property non-optional"
            ]),
        SchemaCase(
            testDescription: "a column that may be NULL, and is not",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT, due TEXT); "
                + "INSERT INTO crates VALUES (1, 'x', NULL)",
            types: [Crate.self],
            found: [
                "warning: crates.name: String takes no NULL, "
                    + "the column may be NULL, and no row is — "
                    + "make the property optional, or declare the column NOT NULL"
            ]),
        SchemaCase(
            testDescription: "a lazy property of a column without default",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, total INTEGER, price REAL NOT NULL)",
            types: [CrateWithPrice.self],
            found: [
                "warning: crates.price: the type may leave the value to the database, "
                    + "the column has no default — give it one"
            ]),
        SchemaCase(
            testDescription: "names in another case",
            sql: "CREATE TABLE Crates (ID INTEGER PRIMARY KEY, name TEXT NOT NULL, due TEXT)",
            types: [Crate.self],
            found: [
                "warning: crates: the type says \"crates\", the table is \"Crates\" — "
                    + "'@Table(\"Crates\")'",
                "warning: crates.id: the type says \"id\", "
                    + "the column is \"ID\" — '@Column(\"ID\")'",
            ], isRepaired: false),
        SchemaCase(
            testDescription: "a column that the type does not have",
            sql: Crate.sql.replacing("due TEXT", with: "due TEXT, stamp TEXT"), types: [Crate.self],
            found: [
                "warning: crates.stamp: the type has no property, the table has the column — "
                    + "declare a property for it"
            ], isRepaired: false),
    ]

    /// GEN-006.
    static let notes = [
        SchemaCase(
            testDescription: "columns in another order",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, due TEXT, name TEXT NOT NULL)",
            types: [Crate.self],
            found: [
                "note: crates: the type declares (id, name, due), the table has (id, due, name) — "
                    + "it matters for 'SELECT *' alone"
            ], isRepaired: false),
        SchemaCase(
            testDescription: "a foreign key between columns that store in two ways",
            sql: Crate.sql + "; CREATE TABLE owners (id TEXT PRIMARY KEY NOT NULL); "
                + "CREATE TABLE seals (id INTEGER PRIMARY KEY, "
                + "crate_id INTEGER NOT NULL REFERENCES crates, "
                + "owner_id TEXT REFERENCES owners (id))",
            types: [Crate.self, Owner.self, Seal.self],
            found: [
                "note: seals.owner_id: String is stored as text, "
                    + "it refers to owners.id, UUID, stored as text — store both alike"
            ], isRepaired: false),
    ]
}
