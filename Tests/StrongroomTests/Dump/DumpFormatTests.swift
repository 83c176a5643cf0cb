import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DumpFormatTests {
    /// A cell of each kind, and what needs care.
    private static let rows: SQL = """
        SELECT * FROM (
            SELECT 1 AS id, 'Arthur' AS name, 1.5 AS score, NULL AS note
            UNION ALL SELECT -2, 'O''Brien "é"', 1e300, x'00FF'
            UNION ALL SELECT NULL, '', 500.0, CAST('/text/' AS BLOB))
        """
    private static let noRows: SQL = "SELECT 1 AS id WHERE 0"

    private func dump(_ sql: SQL, _ format: some DumpFormat) throws -> String {
        try DumpedText.of { output in
            try DatabaseQueue().dumpSQL(sql, format: format, to: output)
        }
    }

    @Test(.proves("DMP-007"))
    func `Debug prints texts as they are, and blobs that are texts too`() throws {
        #expect(
            try dump(Self.rows, .debug()) == """
                1|Arthur|1.5|
                -2|O'Brien "é"|1e+300|X'00FF'
                ||500.0|/text/

                """)
        #expect(
            try dump(Self.rows, .debug(header: true, separator: " ; ", nullValue: "NULL")) == """
                id ; name ; score ; note
                1 ; Arthur ; 1.5 ; NULL
                -2 ; O'Brien "é" ; 1e+300 ; X'00FF'
                NULL ;  ; 500.0 ; /text/

                """)
        #expect(try dump(Self.noRows, .debug(header: true)) == "")
    }

    @Test(.proves("DMP-007"))
    func `List prints what SQLite's shell does by default`() throws {
        #expect(
            try dump(Self.rows, .list()) == """
                1|Arthur|1.5|
                -2|O'Brien "é"|1e+300|\0\u{FFFD}
                ||500.0|/text/

                """)
        #expect(
            try dump(
                "SELECT 1 AS a, NULL AS b", .list(header: true, separator: ",", nullValue: "-"))
                == "a,b\n1,-\n")
        #expect(try dump(Self.noRows, .list(header: true)) == "")
    }

    @Test(.proves("DMP-007"))
    func `Line prints a line for each column`() throws {
        #expect(
            try dump("SELECT 1 AS id, 'Arthur' AS name UNION ALL SELECT 2, NULL", .line()) == """
                  id = 1
                name = Arthur

                  id = 2
                name =\u{20}

                """)
        #expect(try dump("SELECT NULL AS é", .line(nullValue: "NULL")) == "é = NULL\n")
        #expect(try dump("SELECT 1 AS a; SELECT 2 AS b", .line()) == "a = 1\n\nb = 2\n")
        #expect(try dump(Self.noRows, .line()) == "")
    }

    @Test(.proves("DMP-007"))
    func `Quote prints literals that SQL reads back`() throws {
        let text = try dump(Self.rows, .quote())
        #expect(
            text == """
                1,'Arthur',1.5,NULL
                -2,'O''Brien "é"',1.0e+300,X'00FF'
                NULL,'',500.0,X'2F746578742F'

                """)
        #expect(
            try dump("SELECT 1 AS id, 'x' AS \"it's\"", .quote(header: true, separator: "|"))
                == "'id'|'it''s'\n1|'x'\n")
        #expect(try dump(Self.noRows, .quote(header: true)) == "")
        let odd: [DatabaseValue] = [
            "a\0b".databaseValue, "'".databaseValue, Int64.min.databaseValue,
            (0.1 + 0.2).databaseValue, Double.infinity.databaseValue,
            Double.leastNonzeroMagnitude.databaseValue, Data().databaseValue, "".databaseValue,
        ]
        for value in odd {
            let literal = try dump("SELECT \(value)", .quote())
            let again = try DatabaseQueue().read {
                try DatabaseValue.fetchOne($0, sql: "SELECT \(literal)")
            }
            #expect(again == value, "\(literal)")
        }
    }

    @Test(.proves("POR-08"))
    func `Quote prints infinity as a number that every SQLite reads`() throws {
        #expect(try dump("SELECT 9e999, -9e999", .quote()) == "9e999,-9e999\n")
    }

    @Test(.proves("DMP-007", "DMP-009"))
    func `JSON prints objects in the order of the columns`() throws {
        #expect(
            try dump(Self.rows, .json()) == """
                [{"id":1,"name":"Arthur","score":1.5,"note":null},
                {"id":-2,"name":"O'Brien \\"é\\"","score":1e+300,"note":"AP8="},
                {"id":null,"name":"","score":500,"note":"L3RleHQv"}]

                """)
        #expect(
            try dump("SELECT 1 AS b, 2 AS a, 9e999 AS c", .json()) == """
                [{"b":1,"a":2,"c":"inf"}]

                """)
        #expect(try dump(Self.noRows, .json()) == "[]\n")
        #expect(
            try dump("CREATE TABLE t(a); SELECT 1 AS a; SELECT 2 AS a", .json()) == """
                [{"a":1}]
                [{"a":2}]

                """)
        let format = JSONDumpFormat()
        format.encoder.outputFormatting = .prettyPrinted
        #expect(
            try dump("SELECT 1 AS id, '/' AS name UNION ALL SELECT 2, NULL", format) == """
                [
                  {
                    "id" : 1,
                    "name" : "\\/"
                  },
                  {
                    "id" : 2,
                    "name" : null
                  }
                ]

                """)
    }

    @Test func `A number that the encoder refuses is an error`() throws {
        #expect(throws: EncodingError.self) {
            try dump("SELECT 9e999 AS a", .json(encoder: JSONEncoder()))
        }
    }

    /// A format of an app.
    private struct Counting: DumpFormat {
        var count = 0

        mutating func writeRow(
            _ db: Database, statement: Statement, to stream: inout DumpStream
        ) throws {
            count += 1
            if count > 3 { throw DatabaseError(message: "too many rows") }
        }

        mutating func finalize(
            _ db: Database, statement: Statement, to stream: inout DumpStream
        ) {
            stream.margin()
            stream.write("\(statement.columnNames): \(count)\n")
            stream.margin()
            count = 0
        }
    }

    @Test(.proves("DMP-006"))
    func `An app can have a format of its own`() throws {
        #expect(
            try dump("SELECT 1 AS a; SELECT 1 AS b WHERE 0", Counting()) == """
                ["a"]: 1

                ["b"]: 0

                """)
        #expect(throws: DatabaseError.self) {
            try dump("SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4", Counting())
        }
    }
}
