import Strongroom
import StrongroomCLI
import Testing

@Suite struct SQLScannerTests {
    private func texts(_ sql: String) -> [String] {
        SQLScanner.statements(of: sql).map(\.text)
    }

    @Test func `statements end at semicolons outside of quotes and comments`() {
        #expect(texts("SELECT 1; SELECT 2") == ["SELECT 1", " SELECT 2"])
        #expect(texts("SELECT ';', \";\", `;`, [;] -- ;\n /* ; */;").count == 1)
        #expect(texts("SELECT 'it''s;';SELECT 2").count == 2)
        #expect(texts(";;  ; -- nothing\n") == [])
    }

    @Test(arguments: ["", "TEMP ", "temporary "])
    func `a trigger is one statement`(kind: String) {
        let trigger = """
            CREATE \(kind)TRIGGER t AFTER INSERT ON a BEGIN
                UPDATE a SET x = CASE WHEN x THEN 1 ELSE 2 END; DELETE FROM b;
            END
            """
        #expect(texts(trigger + "; SELECT 1") == [trigger, " SELECT 1"])
    }

    @Test(arguments: [
        "SELECT :a, @b, $c, ?4, '?', \":x\" -- :y\n", "SELECT /* :z */ :a/@b,$c||?4",
    ])
    func `parameters are found, but not in quotes and comments`(sql: String) {
        let names = SQLScanner.statements(of: sql).flatMap(\.tokens).compactMap { token in
            if case .parameter(let name) = token { name } else { nil }
        }
        #expect(names == ["a", "b", "c", "4"])
    }

    @Test func `each statement is one statement to SQLite too`() throws {
        let sql = """
            CREATE TABLE a (x, "y;z"); -- one; two
            CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a WHERE x = ';'; SELECT 1; END;
            INSERT INTO a VALUES (1, 'it''s; fine'); /* ; */ SELECT [y;z] FROM a; ;
            EXPLAIN QUERY PLAN SELECT `y;z` FROM a
            """
        let statements = texts(sql)
        #expect(statements.count == 5)
        try DatabaseQueue().writeWithoutTransaction { db in
            for statement in statements { try db.makeStatement(sql: statement).execute() }
        }
    }
}
