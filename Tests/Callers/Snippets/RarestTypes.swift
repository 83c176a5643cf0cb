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
