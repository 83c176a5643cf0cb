import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct SQLTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name)") }
    }

    private enum CodingKeys: String, CodingKey { case name, teamID = "team \"id\"" }
    private enum Columns: String, ColumnExpression { case id, name }
    private enum KeyColumns: String, CodingKey, ColumnExpression { case name }

    private func expect(
        _ literal: SQL, _ sql: String, _ arguments: StatementArguments = [],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            let built = try literal.build(db)
            #expect(built.sql == sql, sourceLocation: location)
            #expect(built.arguments == arguments, sourceLocation: location)
        }
    }

    @Test(.proves("STM-024", "STM-002"))
    func `Values become arguments, whatever quotes are in them`() throws {
        let name = "O'Brien\"; DROP TABLE player; --"
        try queue.write { db throws in
            try db.execute(
                literal: """
                    INSERT INTO player VALUES (\(1), \(name));
                    INSERT INTO player VALUES (\(2), \(String?.none))
                    """)
            #expect(try String?.fetchAll(db, sql: "SELECT name FROM player") == [name, nil])
        }
        try expect("\(name)", "?", [name])
    }

    @Test(.proves("STM-033"))
    func `Values, optionals and expressions have each their form`() throws {
        let one: Int? = 1
        let none: Int? = nil
        let date = Date(timeIntervalSince1970: 0)
        try expect("\(one) \(none) \(true) \(1.5) \(date)", "? NULL ? ? ?", [1, true, 1.5, date])
        try expect("\(Data([1, 2]))", "?", [Data([1, 2])])
        let data: Data? = Data([3])
        try expect("\(data)", "?", [Data([3])])
        try expect("\(1.databaseValue) \(DatabaseValue.null)", "? NULL", [1])
        try expect("\(Column("a \"b\""))", #""a ""b""""#)
        try expect("\(Columns.name) = \("x")", #""name" = ?"#, ["x"])
        let either = SQL("a = \(1) OR b").sqlExpression
        try expect("\(either) AND c", "(a = ? OR b) AND c", [1])
        try expect("\(either.sqlExpression)", "(a = ? OR b)", [1])
    }

    @Test(.proves("STM-034", "STM-054"))
    func `Names are quoted, and their quotes doubled`() throws {
        try expect("\(CodingKeys.name), \(CodingKeys.teamID)", #""name", "team ""id""""#)
        try expect("\(KeyColumns.name)", #""name""#)
        try expect("\(identifier: "order")", #""order""#)
        #expect("order".quotedDatabaseIdentifier == #""order""#)
        let names = [
            "", " ", "select", "a\"b", "\"", "\"\"); DROP TABLE player; --", "é🐴", "a'b`c[d]",
            "e\u{301}\"", "\"\u{301}", "a\nb", "sqlite",
        ]
        try queue.inDatabase { db throws in
            for name in names {
                try db.execute(
                    literal: "CREATE TABLE t(\(identifier: name)); INSERT INTO t VALUES(1)")
                let column: SQLRequest<Row> = "SELECT \(Column(name)) FROM t"
                #expect(try column.fetchOne(db).map { Array($0.columnNames) } == [name])
                try db.execute(
                    sql: "ALTER TABLE t RENAME TO \(("x" + name).quotedDatabaseIdentifier)")
                let table: SQLRequest<Int> = """
                    SELECT COUNT(*) FROM sqlite_master WHERE name = \("x" + name)
                    """
                #expect(try table.fetchOne(db) == 1)
                try db.execute(literal: "DROP TABLE \(identifier: "x" + name)")
            }
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM player") == 0)
        }
    }

    @Test(.proves("STM-035"))
    func `Sequences become lists, valid with IN and NOT IN even when empty`() throws {
        try expect("\([1, 2, 3])", "(?,?,?)", [1, 2, 3])
        try expect("\([1, nil])", "(?,NULL)", [1])
        try expect("\(Set(["a"]))", "(?)", ["a"])
        try expect("\([Column("a"), Column("b")])", #"("a","b")"#)
        let mixed: [any SQLExpressible] = [1, "a", Column("b")]
        try expect("\(mixed)", #"(?,?,"b")"#, [1, "a"])
        try expect("\([Int]())", "(SELECT NULL WHERE NULL)")
        try queue.write { db throws in
            try db.execute(sql: "INSERT INTO player VALUES (1, 'a'), (2, 'b'), (3, 'c')")
            func ids(_ condition: SQL) throws -> [Int] {
                let request: SQLRequest<Int> = "SELECT id FROM player WHERE \(condition)"
                return try request.fetchAll(db)
            }
            #expect(try ids("id IN \([1, 3])") == [1, 3])
            #expect(try ids("id NOT IN \([1, 3])") == [2])
            #expect(try ids("id IN \([Int]())") == [])
            #expect(try ids("id NOT IN \([Int]())") == [1, 2, 3])
        }
    }

    @Test(.proves("STM-039"))
    func `Literals and trusted SQL are embedded as they are`() throws {
        let condition: SQL = "a = \(1)"
        try expect("WHERE \(literal: condition) AND \(condition)", "WHERE a = ? AND a = ?", [1, 1])
        try expect("\(sql: "b > ?", arguments: [2]) \(sql: "c")", "b > ? c", [2])
        try expect("\(sql: ":n", arguments: ["n": 1]), \(2)", ":n, ?", [2] + ["n": 1])
    }

    @Test(.proves("STM-026", "STM-027", "STM-028"))
    func `Literals are put together`() throws {
        try expect(SQL(sql: "a = ?", arguments: [1]), "a = ?", [1])
        try expect(SQL(Column("a")), #""a""#)
        var literal: SQL = "SELECT "
        literal.append(literal: "\(1)")
        literal.append(sql: ", ?", arguments: [2])
        literal += ", \(3)"
        try expect(literal + " -- end", "SELECT ?, ?, ? -- end", [1, 2, 3])
        #expect(SQL("").isEmpty && SQL(sql: "").isEmpty && !literal.isEmpty)
        #expect((SQL("") + "").isEmpty && [SQL]().joined().isEmpty)
        let conditions: [SQL] = ["a = \(1)", "b", "c = \(2)"]
        try expect(conditions.joined(separator: " AND "), "a = ? AND b AND c = ?", [1, 2])
        try expect(conditions.lazy.map { $0 }.joined(), "a = ?bc = ?", [1, 2])
    }

    @Test func `Existentials are interpolated as what they are`() throws {
        let expression: any SQLExpressible = 1
        let absent: (any SQLExpressible)? = nil
        let selection: any SQLSelectable = Column("a")
        let ordering: any SQLOrderingTerm = SQL("b DESC")
        let key: any CodingKey = CodingKeys.name
        try expect(
            "\(expression) \(absent) \(selection) \(ordering) \(key)", #"? NULL "a" b DESC "name""#,
            [1])
        let column: any SQLSpecificExpressible = Column("c")
        let convertible: any DatabaseValueConvertible = "x"
        try expect("\(column) \(convertible)", #""c" ?"#, ["x"])
    }

    @Test(.proves("STM-036"))
    func `Orderings and collations are interpolated as they are`() throws {
        let descending: SQL = "\(Column("name")) DESC"
        try expect("ORDER BY \(descending.sqlOrdering)", #"ORDER BY "name" DESC"#)
        try expect("COLLATE \(.nocase)", "COLLATE NOCASE")
        try expect("COLLATE \(DatabaseCollation.unicodeCompare)", "COLLATE swiftCompare")
        let name = "by \"length\"; DROP TABLE player"
        try expect(
            "COLLATE \(Database.CollationName(rawValue: name))",
            #"COLLATE "by ""length""; DROP TABLE player""#)
        try queue.write { db throws in
            let collation = DatabaseCollation(name) {
                $0.count < $1.count ? .orderedAscending : .orderedDescending
            }
            db.add(collation: collation)
            try db.execute(sql: "INSERT INTO player VALUES (1, 'long'), (2, 'z')")
            let request: SQLRequest<Int> =
                "SELECT id FROM player ORDER BY name COLLATE \(collation)"
            #expect(try request.fetchAll(db) == [2, 1])
        }
    }

    @Test func `Cells are read by column`() throws {
        try queue.inDatabase { db throws in
            try db.execute(sql: "INSERT INTO player VALUES (1, 'a')")
            let request: SQLRequest<Row> = "SELECT *, NULL AS n, x'01' AS b FROM player"
            let row = try #require(try request.fetchOne(db))
            #expect(row[Columns.id] == 1 && row[Column("NAME")] == "a")
            #expect(row[Columns.name] as Any? as? String == "a")
            #expect(row[Column("missing")] as Int? == nil)
            #expect(try row.decode(Int.self, forColumn: Columns.id) == 1)
            #expect(throws: RowDecodingError.self) {
                try row.decode(Int.self, forColumn: Columns.name)
            }
            let columns: [any ColumnExpression] = [Column("missing"), Column("n"), Columns.id]
            #expect(row.coalesce(columns) == 1)
            #expect(try row.withUnsafeData(at: Column("b")) { $0 } == Data([1]))
            #expect(Column(CodingKeys.teamID).name == #"team "id""# && Column.rowID.name == "rowid")
        }
    }

    @Test(.proves("STM-021"))
    func `Question marks are counted`() {
        #expect(databaseQuestionMarks(count: 3) == "?,?,?")
        #expect(databaseQuestionMarks(count: 1) == "?")
        #expect(databaseQuestionMarks(count: 0) == "")
    }

    @Test func `Columns are qualified where a query says so, raw text never`() throws {
        let literal: SQL = "\(Column("a")) + b + \(Column("c").detached)"
        let subquery: SQLRequest<Row> = "SELECT \(Column("d"))"
        var context = SQLGenerationContext()
        let table = SQLGenerationContext.Table(name: "t", qualifier: "p\"")
        try context.inTable(table) { context in
            try literal.sqlExpression.write(to: &context)
            try subquery.sqlExpression.write(to: &context)
        }
        try literal.sqlExpression.writeOperand(to: &context)
        #expect(
            context.sql == #""p"""."a" + b + "c"(SELECT "d")("a" + b + "c")"#)
    }
}
