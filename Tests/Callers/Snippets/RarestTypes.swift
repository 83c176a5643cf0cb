import CSQLCipher
import Foundation
import Strongroom

func rarerSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("DatabaseError patterns") {
        let errors: [any Error] = [
            DatabaseError(resultCode: .SQLITE_BUSY),
            DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK),
        ]
        var names: [String] = []
        for error in errors {
            do {
                throw error
            } catch DatabaseError.SQLITE_BUSY {
                names.append("busy")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                names.append("constraint")
            }
        }
        try expect(names == ["busy", "constraint"])
        let bridged = errors[0] as NSError
        try expect(bridged.domain == DatabaseError.errorDomain && bridged.code == 5)
    }
    try snippet("upsert with a condition") {
        try db.inSavepoint {
            var author = Author(id: nil, name: "Homer", country: "XX")
            let stored = try author.upsertAndFetch(db, onConflict: ["name"]) { excluded in
                [Column("country").set(to: excluded[Column("country")])]
            }
            try expect(stored.id == 1 && stored.country == "XX")
            return .rollback
        }
    }
    try snippet("any persistable record in a list") {
        let records: [any PersistableRecord] = [
            Setting(key: "b", value: 1), Award(id: 50, bookId: 1, name: "z"),
        ]
        try db.inSavepoint {
            for record in records { try record.insert(db) }
            try expect(try records.allSatisfy { try $0.exists(db) })
            for record in records { try expect(try record.delete(db)) }
            return .commit
        }
        try expect(type(of: records[0]).databaseTableName == "setting")
    }
    try snippet("records with generated columns and default names") {
        struct HTTPRequest: TableRecord {}
        struct TOEFL: TableRecord {}
        try expect(
            HTTPRequest.databaseTableName == "httpRequest" && TOEFL.databaseTableName == "toefl")
    }
    try snippet("interrupted and suspended errors") {
        let error = DatabaseError(resultCode: .SQLITE_INTERRUPT)
        try expect(
            error.isInterruptionError
                && DatabaseError(resultCode: .SQLITE_ABORT).isInterruptionError)
    }
}

func namedTypeSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("NSURL, NSUUID, NSDate, NSNumber, NSString, NSData read from rows") {
        let uuid = NSUUID()
        let row = try Row.fetchOne(
            db,
            sql:
                "SELECT 'https://a.b' AS u, ? AS i, '1970-01-02' AS d, 1.5 AS n, 's' AS s, x'01' AS b",
            arguments: [uuid])!
        try expect((row["u"] as NSURL?)?.host == "a.b" && (row["i"] as NSUUID?) == uuid)
        try expect((row["d"] as NSDate?)?.timeIntervalSince1970 == 86_400)
        try expect((row["n"] as NSNumber?) == 1.5 && (row["s"] as NSString?) == "s")
        try expect((row["b"] as NSData?)?.length == 1)
    }
    try snippet("dump formats by their types") {
        final class Output: TextOutputStream {
            var text = ""
            func write(_ string: String) { text += string }
        }
        func dump(_ format: some DumpFormat) throws -> String {
            let output = Output()
            try db.dumpRequest(Setting.all(), format: format, to: output)
            return output.text
        }
        try expect(
            try dump(DebugDumpFormat()) == "a|1\n"
                && dump(LineDumpFormat()) == "  key = a\nvalue = 1\n")
        try expect(try dump(ListDumpFormat(header: true)) == "key|value\na|1\n")
        try expect(try dump(QuoteDumpFormat(header: true)) == "'key','value'\n'a',1\n")
        try expect(try dump(JSONDumpFormat()) == "[{\"key\":\"a\",\"value\":1}]\n")
        var line = LineDumpFormat()
        line.nullValue = "?"
        try expect(try !dump(line).isEmpty)
        let header: DumpTableHeaderOptions = .always
        let output = Output()
        try db.dumpTables(["setting"], tableHeader: header, to: output)
        try expect(output.text == "setting\na|1\n")
    }
}
