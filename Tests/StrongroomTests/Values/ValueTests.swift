import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ValueTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    private func roundTrip<V: DatabaseValueConvertible>(_ value: V) throws -> V? {
        try queue.read { db throws in
            let straight = try V.fetchOne(db, sql: "SELECT ?", arguments: [value])
            let row = try Row.fetchOne(db, sql: "SELECT ?", arguments: [value])
            #expect(row?[0] as DatabaseValue? == value.databaseValue)
            return straight
        }
    }

    @Test func `Values come back as they were stored`() throws {
        #expect(try roundTrip(true) == true)
        #expect(try roundTrip(Int64.min) == .min)
        #expect(try roundTrip(UInt8.max) == .max)
        #expect(try roundTrip(Float(1.5)) == 1.5)
        #expect(try roundTrip("Jérôme 🐴") == "Jérôme 🐴")
        #expect(try roundTrip("") == "")
        #expect(try roundTrip(Data()) == Data())
        #expect(try roundTrip(Data([0, 1])) == Data([0, 1]))
        let uuid = UUID()
        #expect(try roundTrip(uuid) == uuid)
        #expect(try roundTrip(Decimal(string: "10.50")!) == Decimal(string: "10.5"))
        #expect(try roundTrip(URL(string: "https://example.com/a?b")!)?.query == "b")
    }

    @Test(.proves("VAL-006", "VAL-007"))
    func `NULL is no value, or a value of an optional`() throws {
        try queue.read { db throws in
            #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
            #expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
            #expect(try Optional<Int>.fetchOne(db, sql: "SELECT NULL") == .some(nil))
            #expect(try Optional<Int>.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
            #expect(
                try Optional<Int>.fetchAll(db, sql: "SELECT NULL UNION ALL SELECT 1") == [nil, 1])
            #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: "SELECT NULL") }
            #expect(throws: RowDecodingError.self) { try Int.fetchSet(db, sql: "SELECT NULL") }
        }
    }

    enum Grape: String, DatabaseValueConvertible { case chardonnay, merlot }

    @Test(.proves("VAL-028"))
    func `An enum with raw values needs no code`() throws {
        #expect(try roundTrip(Grape.merlot) == .merlot)
        try queue.inDatabase { db throws in
            _ = #expect(throws: RowDecodingError.self) {
                try Grape.fetchAll(db, sql: "SELECT 'tea'")
            }
        }
    }
}
