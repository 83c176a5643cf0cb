import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// The classes that apps of Objective-C's days keep in their records.
@Suite struct FoundationClassTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    private func stored<Value: DatabaseValueConvertible & NSObject>(_ value: Value) throws -> Value?
    {
        try queue.read { db throws in
            let arguments: StatementArguments = [value]
            let read = try Value.fetchOne(db, sql: "SELECT ?", arguments: arguments)
            let row = try Row.fetchOne(db, sql: "SELECT ? AS a", arguments: arguments)
            #expect(row?["a"] as Value? == read)
            #expect(Value.fromDatabaseValue(value.databaseValue) == read)
            return read
        }
    }

    @Test(.proves("CMP-11")) func `Classes are stored as the values that they stand for`() throws {
        let uuid = UUID()
        #expect(try stored("é\0x" as NSString) == "é\0x")
        #expect(try stored(NSMutableString(string: "a") as NSString) == "a")
        #expect(try stored(NSData(data: Data([0, 255]))) == NSData(data: Data([0, 255])))
        let date = NSDate(timeIntervalSinceReferenceDate: 0.123)
        #expect(try stored(date) == date)
        #expect(date.databaseValue == "2001-01-01 00:00:00.123".databaseValue)
        #expect(try stored(NSURL(string: "https://a.b/c")!) == NSURL(string: "https://a.b/c"))
        #expect(NSUUID(uuidString: uuid.uuidString)?.databaseValue == uuid.databaseValue)
        #expect(
            try stored(NSUUID(uuidString: uuid.uuidString)!).map(\.uuidString) == uuid.uuidString)
    }

    @Test(.proves("CMP-11")) func `Numbers keep all of their digits`() throws {
        let values: [(NSNumber, DatabaseValue)] = [
            (NSNumber(value: true), 1.databaseValue),
            (NSNumber(value: Int8.min), (-128).databaseValue),
            (NSNumber(value: Int64.max), Int64.max.databaseValue),
            (NSNumber(value: UInt32.max), 4_294_967_295.databaseValue),
            (NSNumber(value: UInt64(5)), 5.databaseValue),
            (NSNumber(value: 1.5), 1.5.databaseValue),
            (NSNumber(value: Float(0.5)), 0.5.databaseValue),
            (NSDecimalNumber(string: "12"), 12.databaseValue),
            (NSDecimalNumber(string: "0.1"), "0.1".databaseValue),
            (NSDecimalNumber(string: "9223372036854775808"), "9223372036854775808".databaseValue),
        ]
        for (number, value) in values {
            #expect(number.databaseValue.storage == value.storage, "\(number)")
            #expect(try stored(number) == number)
        }
        #expect(NSDecimalNumber.fromDatabaseValue(3.databaseValue) == NSDecimalNumber(value: 3))
        #expect(NSDecimalNumber.fromDatabaseValue(1.5.databaseValue) == NSDecimalNumber(value: 1.5))
        for sql in ["3", "1.5", "'0.1'", "'9223372036854775808'"] {
            let text = sql.filter { $0 != "'" }
            try queue.read { db throws in
                let number = try NSDecimalNumber.fetchOne(db, sql: "SELECT \(sql)")
                #expect(number == NSDecimalNumber(string: text))
                let row = try #require(try Row.fetchOne(db, sql: "SELECT \(sql)"))
                #expect(row[0] as NSDecimalNumber == NSDecimalNumber(string: text))
            }
        }
        #expect(NSNumber.fromDatabaseValue("1a".databaseValue) == nil)
        #expect(NSNumber.fromDatabaseValue(Data([1]).databaseValue) == nil)
    }

    @Test(.proves("CMP-80")) func `A null is written, and never read`() throws {
        #expect(NSNull.fromDatabaseValue(.null) == nil)
        #expect(NSNull.fromDatabaseValue(1.databaseValue) == nil)
        try queue.read { db throws in
            let isNull = try Bool.fetchOne(db, sql: "SELECT ? IS NULL", arguments: [NSNull()])
            #expect(isNull == true)
            let row = try #require(try Row.fetchOne(db, sql: "SELECT NULL AS a"))
            #expect(row["a"] as NSNull? == nil)
            #expect(throws: RowDecodingError.self) { try row.decode(NSNull.self, forColumn: "a") }
            #expect(try NSNull?.fetchAll(db, sql: "SELECT NULL") == [nil])
        }
    }

    @Test(.proves("CMP-73")) func `Numbered parameters have their number as name`() throws {
        try queue.read { db throws in
            let sum = "SELECT ?1 * 10 + ?2"
            for arguments in [[1, 2], ["2": 2, "1": 1]] as [StatementArguments] {
                #expect(try Int.fetchOne(db, sql: sum, arguments: arguments) == 12)
            }
            #expect(throws: DatabaseError.self) {
                try Int.fetchOne(db, sql: sum, arguments: ["1": 1])
            }
        }
    }
}
