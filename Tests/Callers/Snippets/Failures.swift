import Foundation
import Strongroom

// Errors and their codes, and dumps.

func conversionSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("errors: codes, messages, SQL and arguments") {
        do {
            try db.execute(sql: "INSERT INTO setting VALUES (?, ?)", arguments: ["k", "secret"])
            try expect(false)
        } catch let error as DatabaseError {
            try expect(
                error.resultCode == .SQLITE_CONSTRAINT
                    && error.sql == "INSERT INTO setting VALUES (?, ?)")
            try expect(error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE)
            try expect(!error.description.contains("secret"))
            try expect(error.expandedDescription.contains("secret"))
        }
        try expectError(DatabaseError.self) { try db.execute(sql: "SELEC") }
        let error = DatabaseError(
            resultCode: .SQLITE_IOERR_READ, message: "m", sql: "s", arguments: [1],
            publicStatementArguments: true)
        try expect(
            error.resultCode == .SQLITE_IOERR && error.extendedResultCode == .SQLITE_IOERR_READ)
        try expect(
            error.description == "SQLite error 10: m - while executing `s` with arguments [1]")
    }
    try snippet("result codes in catch patterns") {
        func kind(_ error: any Error) -> String {
            switch error {
            case DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY: "key"
            case DatabaseError.SQLITE_CONSTRAINT: "constraint"
            case ResultCode.SQLITE_FULL: "full"
            default: "other"
            }
        }
        try expect(kind(DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY)) == "key")
        try expect(kind(DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE)) == "constraint")
        try expect(kind(DatabaseError(resultCode: .SQLITE_FULL)) == "full")
        try expect(kind(RecordError.recordNotFound(databaseTableName: "a", key: [:])) == "other")
        try expect(ResultCode.SQLITE_IOERR_READ.primaryResultCode == .SQLITE_IOERR)
        try expect(ResultCode.SQLITE_CORRUPT.description.contains("11"))
    }
    try snippet("RecordError") {
        do {
            _ = try Author.find(db, key: ["name": "nobody"])
            try expect(false)
        } catch let error as RecordError {
            try expect(error.description.contains("author") && error.description.contains("nobody"))
        }
        let error: RecordError = Author.recordNotFound(key: ["id": 7])
        try expect(error.description.contains("7"))
    }
}

func conversionSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    final class Output: TextOutputStream {
        var text = ""
        func write(_ string: String) { text += string }
    }
    func dump(_ format: some DumpFormat) throws -> String {
        let output = Output()
        try db.dumpSQL("SELECT 1 AS a, 'x|y' AS b, NULL AS c", format: format, to: output)
        return output.text
    }
    try snippet("dumps in each format") {
        try expect(try dump(.debug()) == "1|x|y|\n")
        try expect(try dump(.debug(header: true, nullValue: "-")) == "a|b|c\n1|x|y|-\n")
        try expect(try dump(.list(separator: ";")) == "1;x|y;\n")
        try expect(try dump(.quote()) == "1,'x|y',NULL\n")
        try expect(try dump(.line(nullValue: "none")) == "a = 1\nb = x|y\nc = none\n")
        try expect(try dump(.json()) == #"[{"a":1,"b":"x|y","c":null}]"# + "\n")
        let encoder = JSONDumpFormat.defaultEncoder
        encoder.outputFormatting = .prettyPrinted
        try expect(try dump(.json(encoder: encoder)).contains("\n"))
    }
    try snippet("dumps of tables and of what they hold") {
        let output = Output()
        try db.dumpTables(
            ["setting", "note"], format: .list(), tableHeader: .always, stableOrder: true,
            to: output)
        try expect(output.text == "setting\na|1\n\nnote\n")
        output.text = ""
        try db.dumpTables(["setting"], format: .list(), tableHeader: .automatic, to: output)
        try expect(output.text == "a|1\n")
        try db.dumpRequest(Author.including(all: Author.books).limit(1), to: output)
        try expect(output.text.contains("books\n"))
    }
}
