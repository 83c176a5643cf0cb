import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Values of apps, as the manual shows them.
@Suite struct SampleValueTests {
    @Test(.proves("UTL-011"))
    func `An even integer is read from the statement, and odd ones are refused`() throws {
        try DatabaseQueue().inDatabase { db throws in
            #expect(
                try EvenInteger.fetchOne(db, sql: "SELECT ?", arguments: [EvenInteger(4)])?.value
                    == 4)
            #expect(try Row.fetchOne(db, sql: "SELECT 6")?[0] as EvenInteger? == EvenInteger(6))
            #expect(EvenInteger.fromDatabaseValue("a".databaseValue) == nil)
            #expect(throws: (any Error).self) { try EvenInteger.fetchAll(db, sql: "SELECT 5") }
        }
    }

    @Test(.proves("UTL-011"))
    func `A date is a timestamp`() throws {
        let date = Date(timeIntervalSince1970: 12.5)
        try DatabaseQueue().inDatabase { db throws in
            #expect(
                try Double.fetchOne(db, sql: "SELECT ?", arguments: [DBDate(date as NSDate)])
                    == 12.5)
            #expect(try DBDate.fetchOne(db, sql: "SELECT 12.5")?.date == date as NSDate)
        }
        #expect(DBDate(nil) == nil)
    }

    @Test(.needsFTS5, .proves("VAL-009"))
    func `Some types are values, but not read from statements themselves`() throws {
        let pattern = try #require(FTS5Pattern(matchingPhrase: "a"))
        let older = try #require(FTS3Pattern(matchingPhrase: "a"))
        let values: [Any] = [
            CGFloat(1), URL(fileURLWithPath: "/"), DatabaseValue.null, older, pattern,
            IndexInfo.Origin.createIndex, NSNull(),
        ]
        for value in values {
            #expect(value is any DatabaseValueConvertible, "\(type(of: value))")
            #expect(!(value is any StatementColumnConvertible), "\(type(of: value))")
        }
    }
}

private struct EvenInteger: Equatable {
    let value: Int  // Guaranteed even

    init?(_ value: Int) {
        guard value.isMultiple(of: 2) else {
            return nil  // Not an even number
        }
        self.value = value
    }
}

extension EvenInteger: DatabaseValueConvertible {
    var databaseValue: DatabaseValue {
        value.databaseValue
    }

    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        guard let value = Int.fromDatabaseValue(dbValue) else {
            return nil  // Not an integer
        }
        return EvenInteger(value)  // Nil if not even
    }
}

extension EvenInteger: StatementColumnConvertible {
    init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let int64 = sqlite3_column_int64(sqliteStatement, index)
        guard let value = Int(exactly: int64) else {
            return nil  // Does not fit Int (probably a 32-bit architecture)
        }
        self.init(value)  // Nil if not even
    }
}

private struct DBDate: DatabaseValueConvertible {
    let date: NSDate

    init?(_ date: NSDate?) {
        guard let date else { return nil }
        self.date = date
    }

    var databaseValue: DatabaseValue {
        date.timeIntervalSince1970.databaseValue
    }

    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> DBDate? {
        Double.fromDatabaseValue(dbValue).flatMap { DBDate(NSDate(timeIntervalSince1970: $0)) }
    }
}
