import Strongroom
import StrongroomTestSupport
import Testing

/// Random definitions of tables make what SQL by hand makes. SQLite says what that is.
@Suite struct RandomTableTests {
    /// One definition, in Swift and by hand.
    private struct Sample {
        var random: SeededGenerator
        var parts: [(TableDefinition) -> Void] = []
        var lines: [String] = []
        var indexes: [String] = []
        var options: TableOptions = []
        var ending = ""

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            let names = ["a", "B c", "d\"e", "élan", "select"].shuffled(using: &random)
            let count = Int.random(in: 2...5, using: &random)
            let key = Int.random(in: 0...3, using: &random)
            addKey(key, names)
            for name in names.prefix(count) { addColumn(name) }
            if random.pick([true, false]) { addConstraint(Array(names.prefix(2))) }
            if key != 3, random.pick([true, false, false]) {
                (options, ending) = (.withoutRowID, " WITHOUT ROWID")
            }
        }

        private func quoted(_ name: String) -> String {
            "\"\(name.replacing("\"", with: "\"\""))\""
        }

        private mutating func addKey(_ kind: Int, _ names: [String]) {
            switch kind {
            case 0:
                parts.append { $0.primaryKey("id", .integer) }
                lines.append("id INTEGER PRIMARY KEY")
            case 1:
                parts.append { $0.primaryKey("id", .text, onConflict: .replace) }
                lines.append("id TEXT NOT NULL PRIMARY KEY ON CONFLICT REPLACE")
            case 2:
                parts.append { table in
                    table.primaryKey(onConflict: .ignore) {
                        table.column("x", .integer)
                        table.column("y", .text)
                    }
                }
                lines += ["x INTEGER NOT NULL", "y TEXT NOT NULL"]
            default: break
            }
        }

        private mutating func addColumn(_ name: String) {
            let type = random.pick([Database.ColumnType.text, .integer, .double, .blob, .numeric])
            var changes: [(ColumnDefinition) -> Void] = []
            var line = "\(quoted(name)) \(type.rawValue)"
            func isChosen() -> Bool { Int.random(in: 0...2, using: &random) == 0 }
            if isChosen() {
                changes.append { $0.notNull() }
                line += " NOT NULL"
            }
            switch Int.random(in: 0...5, using: &random) {
            case 0:
                changes.append { $0.unique(onConflict: .ignore) }
                line += " UNIQUE ON CONFLICT IGNORE"
            case 1:
                changes.append { $0.indexed() }
                indexes.append(quoted(name))
            default: break
            }
            if isChosen() {
                changes.append { $0.check { $0 != 7 } }
                line += " CHECK (\(quoted(name)) <> 7)"
            }
            switch Int.random(in: 0...4, using: &random) {
            case 0:
                changes.append { $0.defaults(to: "it's") }
                line += " DEFAULT 'it''s'"
            case 1:
                changes.append { $0.defaults(to: -1.5) }
                line += " DEFAULT -1.5"
            case 2:
                changes.append { $0.defaults(sql: "(1 + 1)") }
                line += " DEFAULT (1 + 1)"
            default: break
            }
            if isChosen() {
                changes.append { $0.collate(.nocase) }
                line += " COLLATE NOCASE"
            }
            if isChosen() {
                changes.append {
                    $0.references("parent", onDelete: .cascade, onUpdate: .setNull, deferred: true)
                }
                line += " REFERENCES parent(id) ON DELETE CASCADE ON UPDATE SET NULL"
                line += " DEFERRABLE INITIALLY DEFERRED"
            }
            parts.append { [changes] table in
                let column = table.column(name, type)
                for change in changes { change(column) }
            }
            lines.append(line)
        }

        private mutating func addConstraint(_ names: [String]) {
            let list = names.map(quoted).joined(separator: ", ")
            if random.pick([true, false]) {
                let rule = random.pick([Database.ConflictResolution.fail, .ignore, .replace])
                parts.append { $0.uniqueKey(names, onConflict: rule) }
                lines.append("UNIQUE (\(list)) ON CONFLICT \(rule.rawValue)")
            } else {
                parts.append {
                    $0.foreignKey(
                        names, references: "pair", columns: ["p", "q"], onDelete: .restrict)
                }
                lines.append("FOREIGN KEY (\(list)) REFERENCES pair(p, q) ON DELETE RESTRICT")
            }
        }

        var hand: [String] {
            var lines = lines
            // Columns come before constraints of the table, of which the key is the first.
            if lines.first?.hasPrefix("x ") == true {
                lines.insert("PRIMARY KEY (x, y) ON CONFLICT IGNORE", at: 2)
            }
            let isConstraint = { (line: String) in
                ["UNIQUE (", "FOREIGN KEY", "PRIMARY KEY"].contains { line.hasPrefix($0) }
            }
            let sorted = lines.filter { !isConstraint($0) } + lines.filter(isConstraint)
            return ["CREATE TABLE t(\(sorted.joined(separator: ", ")))\(ending)"]
                + indexes.enumerated().map { "CREATE INDEX i\($0) ON t(\($1))" }
        }
    }

    /// What SQLite knows of the table, but for names of indexes.
    private func shape(_ db: Database) throws -> Set<String> {
        let columns = try Row.fetchAll(db, sql: "SELECT * FROM pragma_table_xinfo('t')")
        let keys = try Row.fetchAll(
            db,
            sql: """
                SELECT seq, "table", "from", "to", on_update, on_delete
                FROM pragma_foreign_key_list('t')
                """)
        let indexes = try Row.fetchAll(
            db,
            sql: """
                SELECT "unique", origin, partial,
                    (SELECT group_concat(seqno || coalesce(name, cid) || "desc" || coll || key)
                    FROM pragma_index_xinfo(list.name))
                FROM pragma_index_list('t') AS list
                """)
        return Set((columns + keys + indexes).map(\.description))
    }

    /// What becomes of some insertions: checks, conflict clauses, defaults and deferred keys are in no
    /// account of SQLite's.
    private func outcome(_ db: Database) throws -> [String] {
        let names = try db.columns(in: "t").map(\.name)
        let values: [(any DatabaseValueConvertible)?] = [1, "a", nil, 7, "A", 2, 1]
        var lines: [String] = []
        try db.inSavepoint {
            // Without its value, the last column has its default.
            let statements = try [names.count - 1, names.count].map { count in
                let columns = names.prefix(count).map(\.quotedDatabaseIdentifier)
                return try db.makeStatement(
                    sql: """
                        INSERT INTO t(\(columns.joined(separator: ", ")))
                        VALUES (\(databaseQuestionMarks(count: count)))
                        """)
            }
            for number in 0..<14 {
                let count = number % 3 == 0 ? names.count - 1 : names.count
                // Most rows have an id of their own; all else comes again after six rows.
                let row = (0..<count).map { position -> (any DatabaseValueConvertible)? in
                    if names[position] == "id" { return number % 9 }
                    return values[(number % 6 + position * (number % 2)) % 7]
                }
                do {
                    try statements[count - names.count + 1].execute(
                        arguments: StatementArguments(row))
                    lines.append("\(db.changesCount)")
                } catch let error as DatabaseError {
                    lines.append("\(error.extendedResultCode.rawValue)")
                }
            }
            lines += try Row.fetchAll(db, sql: "SELECT * FROM t").map(\.description)
            return .rollback
        }
        return lines
    }

    @Test(.proves("CMP-99"))
    func `Random definitions make what SQL by hand makes`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE parent(id INTEGER PRIMARY KEY);
                    CREATE TABLE pair(p, q, PRIMARY KEY (p, q))
                    """)
            var shapes: Set<Set<String>> = []
            for seed in UInt64(1)...200 {
                let sample = Sample(seed: seed)
                try db.create(table: "t", options: sample.options) { table in
                    for part in sample.parts { part(table) }
                }
                let made = try shape(db)
                let rows = try outcome(db)
                try db.drop(table: "t")
                for statement in sample.hand { try db.execute(sql: statement) }
                #expect(try made == shape(db), "seed \(seed): \(sample.hand)")
                #expect(try rows == outcome(db), "seed \(seed): \(sample.hand)")
                try db.drop(table: "t")
                shapes.insert(made)
            }
            #expect(shapes.count > 150)
        }
    }
}
