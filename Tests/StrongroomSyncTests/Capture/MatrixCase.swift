import StrongroomSync
import Testing

/// A kind of table, and how rows of two such tables refer to each other: schema, rows, statements.
struct MatrixCase: Sendable, CustomTestStringConvertible {
    enum Form: String, CaseIterable, Sendable {
        case rowid, withoutRowID, strict, composite, nocase, typeless, generated, rowNumber
    }

    /// What the foreign key of the second table does.
    enum Action: String, CaseIterable, Sendable {
        case cascade = "ON DELETE CASCADE ON UPDATE CASCADE"
        case setNull = "ON DELETE SET NULL ON UPDATE SET NULL"
        case setDefault = "ON DELETE SET DEFAULT ON UPDATE SET DEFAULT"
        case onUpdate = "ON UPDATE CASCADE"
    }

    let form: Form
    let action: Action
    /// Whether the first table has a further unique index.
    let isUnique: Bool

    static let all = Form.allCases.flatMap { form in
        Action.allCases.flatMap { action in
            [false, true].map { MatrixCase(form: form, action: action, isUnique: $0) }
        }
    }

    var testDescription: String { "\(form) \(action) \(isUnique ? "unique" : "")" }

    /// The key of a row, as a list of SQL.
    func key(_ number: Int) -> [String] {
        switch form {
        case .rowid, .withoutRowID, .strict, .generated: ["'k\(number)'"]
        case .nocase: [number % 2 == 0 ? "'K\(number)'" : "'k\(number)'"]
        case .composite: ["'k\(number / 2)'", "\(number)"]
        case .typeless: [["1", "'1'", "x'31'", "2.5", "'a'", "7", "'7'"][number % 7]]
        case .rowNumber: ["\(number * 10)"]
        }
    }

    /// Another key that the table takes for equal, byte by byte different; nil if there is none.
    func equalKey(_ number: Int) -> [String]? {
        switch form {
        case .nocase: [number % 2 == 0 ? "'k\(number)'" : "'K\(number)'"]
        case .typeless: number == 0 ? ["1.0"] : number == 5 ? ["7.0"] : nil
        default: nil
        }
    }

    private var keyColumns: [(name: String, definition: String)] {
        switch form {
        case .rowid, .withoutRowID, .strict, .generated: [("id", "TEXT NOT NULL")]
        case .nocase: [("id", "TEXT NOT NULL COLLATE NOCASE")]
        case .composite: [("id", "TEXT NOT NULL"), ("part", "INTEGER NOT NULL")]
        case .typeless: [("id", "NOT NULL")]
        case .rowNumber: [("id", "INTEGER NOT NULL")]
        }
    }

    var keyNames: [String] { keyColumns.map(\.name) }

    /// Columns of a typed table, or of one without types.
    private var values: String {
        switch form {
        case .strict: "u TEXT, n TEXT, v INT, w ANY, note TEXT"
        case .nocase:
            "u TEXT COLLATE NOCASE, n TEXT COLLATE NOCASE, v INTEGER, w, note TEXT COLLATE NOCASE"
        case .typeless: "u, n, v, w, note"
        case .generated:
            "u TEXT, n TEXT, v INTEGER, w BLOB, note TEXT, twice AS (v * 2), both TEXT AS (n || u) STORED"
        default: "u TEXT, n TEXT, v INTEGER, w NUMERIC, note TEXT"
        }
    }

    private var options: String {
        switch form {
        case .withoutRowID: " WITHOUT ROWID"
        case .strict: " STRICT"
        case .composite: " WITHOUT ROWID"
        default: ""
        }
    }

    var schema: String {
        let keys = keyColumns.map { "\($0.name) \($0.definition)" }.joined(separator: ", ")
        let list = keyNames.joined(separator: ", ")
        let references = keyColumns.enumerated().map { index, column in
            let type = column.definition.replacing(" NOT NULL", with: "").replacing(
                "NOT NULL", with: "")
            return "p\(column.name) \(type) DEFAULT \(key(3)[index])"
        }.joined(separator: ", ")
        let own = keyNames.map { "p\($0)" }.joined(separator: ", ")
        let index =
            form == .generated
            ? "CREATE UNIQUE INDEX pu ON p (both)"
            : "CREATE UNIQUE INDEX pu ON p (u) WHERE u IS NOT NULL"
        return """
            CREATE TABLE p (\(keys), \(values), PRIMARY KEY (\(list)))\(options);
            CREATE TABLE c (id TEXT PRIMARY KEY NOT NULL, \(references), note TEXT,
                FOREIGN KEY (\(own)) REFERENCES p (\(list)) \(action.rawValue))\(form == .strict ? " STRICT" : "");
            CREATE INDEX cp ON c (\(own));
            \(isUnique ? index : "");
            \(rows)
            """
    }

    private var rows: String {
        let parents = (0...4).map { number in
            "INSERT INTO p (\(columns)) VALUES (\(row(number, "u\(number)")));"
        }
        let children = (0...3).map { number in
            "INSERT INTO c (id, \(own), note) VALUES ('c\(number)', \(list(key(number))), 'note \(number)');"
        }
        return (parents + children).joined(separator: "\n")
    }

    var declarations: [SyncedTable] {
        [SyncedTable("p", keys: form == .rowNumber ? .application : .random), SyncedTable("c")]
    }

    private var own: String { keyNames.map { "p\($0)" }.joined(separator: ", ") }
    private var columns: String { list(keyNames) + ", u, n, v, w" }
    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private func row(_ number: Int, _ unique: String) -> String {
        "\(list(key(number))), '\(unique)', 'name', \(number), \(number)"
    }

    private func isRow(_ number: Int) -> String {
        zip(keyNames, key(number)).map { "\($0) = \($1)" }.joined(separator: " AND ")
    }

    private func setKey(_ key: [String]) -> String {
        zip(keyNames, key).map { "\($0) = \($1)" }.joined(separator: ", ")
    }
}

// MARK: - Statements

extension MatrixCase {
    /// A statement, and whether it is an update that changes nothing but what it says.
    struct Statement: Sendable {
        let sql: String
        var isPlainUpdate = false
    }

    var statements: [Statement] {
        insertions + replacements + upserts + updates + keyChanges + deletions + returning
    }

    private var insertions: [Statement] {
        ["INSERT", "INSERT OR IGNORE", "INSERT OR REPLACE", "INSERT OR ABORT", "INSERT OR FAIL"]
            .flatMap { verb in
                [row(5, "u5"), row(1, "u5"), row(5, "u2"), row(1, "u2"), row(1, "u1")].map {
                    Statement(sql: "\(verb) INTO p (\(columns)) VALUES (\($0))")
                } + [
                    Statement(
                        sql: "\(verb) INTO c (id, note) VALUES ('c1', 'other'), ('c9', NULL)")
                ]
            }
    }

    private var replacements: [Statement] {
        let equal = [0, 1, 2, 5].compactMap(equalKey).flatMap { key in
            ["INSERT OR REPLACE", "INSERT OR IGNORE"].map {
                "\($0) INTO p (\(columns)) VALUES (\(list(key)), 'u8', 'x', 1, 1)"
            } + ["UPDATE p SET \(setKey(key)) WHERE \(isRow(0))"]
        }
        let others = [
            "REPLACE INTO p (\(columns)) SELECT \(columns) FROM p",
            "UPDATE OR REPLACE p SET u = 'u2', n = 'name' WHERE \(isRow(1))",
            "UPDATE OR REPLACE p SET u = 'u2'",
            "UPDATE OR REPLACE p SET \(setKey(key(2))) WHERE \(isRow(1))",
            "UPDATE OR REPLACE p SET \(setKey(key(2))), u = 'u3' WHERE \(isRow(1))",
            "UPDATE OR IGNORE p SET \(setKey(key(2))) WHERE \(isRow(1))",
            "UPDATE OR IGNORE p SET u = 'u2'",
            "UPDATE OR REPLACE c SET id = 'c2' WHERE id = 'c1'",
        ]
        return (equal + others).map { Statement(sql: $0) }
    }

    private var upserts: [Statement] {
        let target = list(keyNames)
        return [1, 5].flatMap { number in
            let insertion = "INSERT INTO p (\(columns)) VALUES (\(row(number, "u9")))"
            return [
                "\(insertion) ON CONFLICT (\(target)) DO UPDATE SET n = 'upsert', v = v + 1",
                "\(insertion) ON CONFLICT (\(target)) DO UPDATE SET \(setKey(key(6)))",
                "\(insertion) ON CONFLICT DO NOTHING",
                "\(insertion) ON CONFLICT (\(target)) DO UPDATE SET n = n",
            ].map { Statement(sql: $0) }
        }
    }

    private var updates: [Statement] {
        [
            "UPDATE p SET n = 'new'", "UPDATE p SET n = n, v = v, u = u",
            "UPDATE p SET n = upper(n)",
            "UPDATE p SET v = v + 1, w = NULL WHERE \(isRow(1))", "UPDATE p SET v = v",
            "UPDATE p SET w = w * 1.0", "UPDATE p SET w = CAST(w AS BLOB)", "UPDATE p SET w = 'x'",
            "UPDATE p SET w = CAST(w AS TEXT)", "UPDATE p SET note = 'm', n = NULL, v = NULL",
            "UPDATE p SET n = c.note FROM c WHERE c.p\(keyNames[0]) = p.\(keyNames[0])",
            "UPDATE p SET v = (SELECT count(*) FROM c) WHERE v > 1",
            "UPDATE c SET note = upper(note)", "UPDATE c SET note = note",
            "UPDATE p SET n = CASE WHEN v = 2 THEN 'two' ELSE n END",
        ].map { Statement(sql: $0, isPlainUpdate: true) }
    }

    private var keyChanges: [Statement] {
        [
            "UPDATE p SET \(setKey(key(5))) WHERE \(isRow(1))",
            "UPDATE p SET \(setKey(key(5))), n = 'moved' WHERE \(isRow(1))",
            "UPDATE p SET \(setKey(keyNames))", "UPDATE c SET id = id || 'x'",
            "UPDATE c SET id = 'c8', note = NULL WHERE id = 'c1'",
            "UPDATE p SET rowid = rowid + 100",
        ].map { Statement(sql: $0) }
    }

    private var deletions: [Statement] {
        [
            "DELETE FROM p WHERE \(isRow(1))", "DELETE FROM p", "DELETE FROM c",
            "DELETE FROM p WHERE v > 1", "DELETE FROM c WHERE note = 'note 2'",
        ].map { Statement(sql: $0) }
    }

    private var returning: [Statement] {
        [
            "INSERT INTO p (\(columns)) VALUES (\(row(5, "u5"))) RETURNING *",
            "REPLACE INTO p (\(columns)) VALUES (\(row(1, "u2"))) RETURNING n",
            "UPDATE p SET n = 'r' WHERE v < 3 RETURNING \(keyNames[0])",
            "DELETE FROM p WHERE \(isRow(2)) RETURNING n, v",
        ].map { Statement(sql: $0) }
    }
}
