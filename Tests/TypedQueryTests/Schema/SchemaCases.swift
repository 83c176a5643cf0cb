import StrongroomTables

extension SchemaCase {
    /// GEN-004: what fails, or may fail.
    static let errors = [
        SchemaCase(
            testDescription: "a missing table",
            sql: "CREATE TABLE other (a)", types: [Crate.self],
            found: [
                "error: crates: Crate is stored in it, "
                    + "the database has no such table — create the table"
            ]),
        SchemaCase(
            testDescription: "a missing column",
            sql:
                "CREATE TABLE crates (id INTEGER PRIMARY KEY, due TEXT); "
                + "INSERT INTO crates VALUES (7, NULL)",
            types: [Crate.self],
            found: [
                "error: crates.name: Crate.name is stored in it, "
                    + "the table has no such column — add the column"
            ],
            remaining: [
                "note: crates: the type declares (id, name, due), the table has (id, due, name) — "
                    + "it matters for 'SELECT *' alone"
            ],
            rows: ("SELECT id, name FROM crates", ["7 \"\""])),
        SchemaCase(
            testDescription: "NULL in a property that is not optional",
            sql: """
                CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT, due TEXT);
                CREATE INDEX byName ON crates (name);
                CREATE VIEW named AS SELECT name FROM crates;
                CREATE TABLE log (entry);
                CREATE TRIGGER added AFTER INSERT ON crates BEGIN
                    INSERT INTO log VALUES (new.id); END;
                INSERT INTO crates VALUES (1, NULL, NULL), (2, 'x', NULL)
                """,
            types: [Crate.self],
            found: [
                "error: crates.name: String takes no NULL, rows have NULL — "
                    + "make the property optional, or declare the column NOT NULL"
            ],
            rows: (
                """
                SELECT name, (SELECT group_concat(name, ',') FROM (
                    SELECT name FROM sqlite_master WHERE sql LIKE '%crates%' ORDER BY name)),
                    (SELECT group_concat(entry) FROM log) FROM named
                """,
                [
                    "\"\" \"added,byName,crates,named\" \"1,2\"",
                    "\"x\" \"added,byName,crates,named\" \"1,2\"",
                ]
            )),
        SchemaCase(
            testDescription: "a key of other columns",
            sql: """
                CREATE TABLE crates (lot INTEGER NOT NULL, number INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    PRIMARY KEY (number, lot));
                INSERT INTO crates VALUES (1, 2, 'x')
                """,
            types: [CrateOfLot.self],
            found: [
                "error: crates: the key is (lot, number), it is (number, lot) — "
                    + "declare the key as the table has it"
            ],
            rows: ("SELECT * FROM crates", ["1 2 \"x\""])),
        SchemaCase(
            testDescription: "no key",
            sql: "CREATE TABLE crates (id INTEGER, name TEXT NOT NULL, due TEXT); "
                + "INSERT INTO crates VALUES (3, 'x', NULL)",
            types: [Crate.self],
            found: [
                "error: crates: the key is (id), the table has no key — "
                    + "declare the key as the table has it",
                "warning: crates.id: Int takes no NULL, the column may be NULL, and no row is — "
                    + "make the property optional, or declare the column NOT NULL",
            ],
            rows: ("SELECT * FROM crates", ["3 \"x\" NULL"])),
        SchemaCase(
            testDescription: "an ordinary column that the database computes",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, total INTEGER AS (id * 2), "
                + "price REAL NOT NULL DEFAULT 0); INSERT INTO crates VALUES (4, 1.5)",
            types: [CrateWithPrice.self],
            found: [
                "error: crates.total: the type writes it, the database computes it — "
                    + "'@Column(generated: .virtual)' with 'let'"
            ],
            rows: ("SELECT * FROM crates", ["4 8 1.5"])),
        SchemaCase(
            testDescription: "a generated column that is an ordinary one",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, total INTEGER)",
            types: [CrateWithTotal.self],
            found: [
                "error: crates.total: the type says it is generated, "
                    + "the column is an ordinary one — "
                    + "leave 'generated:' out"
            ], isRepaired: false),
        SchemaCase(
            testDescription: "a column that an insert must give",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, total INTEGER, "
                + "price REAL NOT NULL DEFAULT 0, stamp TEXT NOT NULL)",
            types: [CrateWithPrice.self],
            found: [
                "error: crates.stamp: the type has no property, so that an insert gives no value, "
                    + "the column is NOT NULL without a default — "
                    + "declare a property for it, or give the column a default"
            ],
            remaining: [
                "warning: crates.stamp: the type has no property, the table has the column — "
                    + "declare a property for it"
            ]),
    ]

    /// GEN-004: what the type says of the table itself.
    static let kinds = [
        SchemaCase(
            testDescription: "a table without row numbers",
            sql:
                "CREATE TABLE crates (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, "
                + "due TEXT) WITHOUT ROWID; INSERT INTO crates VALUES (5, 'x', NULL)",
            types: [Crate.self],
            found: [
                "error: crates: the type says a table, it is a table WITHOUT ROWID — "
                    + "'@Table(withoutRowID: true)'"
            ],
            rows: ("SELECT rowid FROM crates", ["5"])),
        SchemaCase(
            testDescription: "a table with row numbers",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT NOT NULL); "
                + "INSERT INTO crates VALUES (6, 'x')",
            types: [CrateWithoutRowID.self],
            found: [
                "error: crates: the type says a table WITHOUT ROWID, it is a table — '@Table'"
            ],
            rows: ("SELECT * FROM crates", ["6 \"x\""])),
        SchemaCase(
            testDescription: "a view that the type takes for a table",
            sql: "CREATE VIEW crates AS SELECT 1 AS id, 'x' AS name, NULL AS due",
            types: [Crate.self],
            found: ["error: crates: the type says a table, it is a view — '@Table(.view)'"],
            isRepaired: false),
        SchemaCase(
            testDescription: "a table that the type takes for a view",
            sql: "CREATE TABLE crates (name TEXT)", types: [CrateView.self],
            found: ["error: crates: the type says a view, it is a table — '@Table'"],
            isRepaired: false),
        SchemaCase(
            testDescription: "two properties for one column",
            sql: "CREATE TABLE crates (id INTEGER PRIMARY KEY, depth REAL, berth TEXT)",
            types: [CrateTwice.self],
            found: [
                "error: crateTwices.depth: CrateTwice declares it twice, by 'depth' and "
                    + "'mooring.depth', a table has each name once — "
                    + "give one of them another name by '@Column(\"…\")'"
            ], isRepaired: false),
    ]
}
