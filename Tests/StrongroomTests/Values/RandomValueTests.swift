import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Random values go into a database and come back, in every form, as a model of plain Swift says.
@Suite struct RandomValueTests {
    private typealias Storage = DatabaseValue.Storage

    private static func value(_ random: inout SeededGenerator) -> Storage {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .null
        case 1:
            let any = Int64.random(in: .min ... .max, using: &random)
            let power = Int64(1) << Int64.random(in: 0..<63, using: &random)
            return .int64(random.pick([any, power, -power, power - 1, 0, .min, .max]))
        case 2:
            let any = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
            let power = random.pick([1.0, 0x1p7, 0x1p8, 0x1p31, 0x1p32, 0x1p53, 0x1p63, 0x1p64])
            let number = random.pick([any, power, -power, power - 0.5, 1.9, -0.25, .infinity])
            return .double(number.isNaN ? 0.1 : number)
        case 3:
            let pieces = ["a", "é🐴", "'", "\0", "12", "-", ".5", " "]
            return .string(random.text(of: pieces, upTo: 4))
        case 4:
            let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            return .string(random.pick([uuid, uuid.lowercased(), "{\(uuid)}"]))
        default:
            let bytes = (0..<random.pick([0, 1, 3, 15, 16, 17])).map { _ in
                UInt8.random(in: random.pick([0...255, 97...122]), using: &random)
            }
            return .blob(Data(bytes))
        }
    }

    // MARK: - The model

    private static func integer<I: FixedWidthInteger>(_ storage: Storage) -> I? {
        switch storage {
        case .int64(let number): I(exactly: number)
        case .double(let number):
            // What fits a signed integer first: a real has no unsigned one to be.
            Int64(exactly: number.rounded(.towardZero)).flatMap { I(exactly: $0) }
        default: nil
        }
    }

    private static func real(_ storage: Storage) -> Double? {
        switch storage {
        case .int64(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private static func text(_ storage: Storage) -> String? {
        switch storage {
        case .string(let text): text
        case .blob(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    private static func bytes(_ storage: Storage) -> Data? {
        switch storage {
        case .string(let text): Data(text.utf8)
        case .blob(let bytes): bytes
        default: nil
        }
    }

    private static func uuid(_ storage: Storage) -> UUID? {
        switch storage {
        case .string(let text): return UUID(uuidString: text)
        case .blob(let bytes) where bytes.count == 16:
            let hex = bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }
            let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex[$0].joined() }
            return UUID(uuidString: groups.joined(separator: "-"))
        default: return nil
        }
    }

    private static func areEqual(_ a: Storage, _ b: Storage) -> Bool {
        switch (a, b) {
        case (.int64(let integer), .double(let real)), (.double(let real), .int64(let integer)):
            Int64(exactly: real) == integer
        default: a == b
        }
    }

    // MARK: - Comparison

    private static func check<T: DatabaseValueConvertible & Equatable>(
        _ type: T.Type, _ storage: Storage, _ wanted: T?, in rows: [Row]
    ) throws {
        let value = DatabaseValue(value: storage.value as Any) ?? .null
        try Fuzzing.expect(
            T.fromDatabaseValue(value) == wanted, "\(T.self) of \(storage), not \(wanted as Any)")
        for row in rows {
            let read = try? row.decode(T.self, atIndex: 0)
            try Fuzzing.expect(read == wanted, "\(T.self) of \(storage) in a row")
            let isRight =
                switch Result(catching: { try row.decode(T?.self, forColumn: "a") }) {
                case .success(let value): value == wanted && (value != nil || storage == .null)
                case .failure: wanted == nil && storage != .null
                }
            try Fuzzing.expect(isRight, "\(T.self)? of \(storage) in a row")
        }
    }

    private static func checkConversions(of storage: Storage, in rows: [Row]) throws {
        try check(Int.self, storage, integer(storage), in: rows)
        try check(Int8.self, storage, integer(storage), in: rows)
        try check(Int16.self, storage, integer(storage), in: rows)
        try check(Int32.self, storage, integer(storage), in: rows)
        try check(Int64.self, storage, integer(storage), in: rows)
        try check(UInt.self, storage, integer(storage), in: rows)
        try check(UInt8.self, storage, integer(storage), in: rows)
        try check(UInt16.self, storage, integer(storage), in: rows)
        try check(UInt32.self, storage, integer(storage), in: rows)
        try check(UInt64.self, storage, integer(storage), in: rows)
        try check(Double.self, storage, real(storage), in: rows)
        try check(Float.self, storage, real(storage).map { Float($0) }, in: rows)
        try check(Bool.self, storage, real(storage).map { $0 != 0 }, in: rows)
        try check(String.self, storage, text(storage), in: rows)
        try check(Data.self, storage, bytes(storage), in: rows)
        try check(UUID.self, storage, uuid(storage), in: rows)
        let seconds = real(storage).flatMap { $0.isFinite ? $0 : nil }
        if seconds != nil || text(storage)?.contains("-") != true {
            try check(
                Date.self, storage, seconds.map { Date(timeIntervalSince1970: $0) }, in: rows)
        }
    }

    @Test(
        .proves(
            "VAL-010", "VAL-011", "VAL-012", "VAL-013", "VAL-015", "VAL-023", "VAL-033", "VAL-034",
            "VAL-035", "VAL-038", "VAL-039", "VAL-040", "VAL-041", "VAL-042"))
    func `Values come back in every form`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.inDatabase { db in
            try db.execute(sql: "CREATE TABLE t (a)")
            let count = try Fuzzing().run("values", inputs: 500) { random in
                let storage = Self.value(&random)
                let value = DatabaseValue(value: storage.value as Any) ?? .null
                try Fuzzing.expect(value.storage == storage, "\(storage) as a value")
                let other = DatabaseValue(value: Self.value(&random).value as Any) ?? .null
                let isEqual = Self.areEqual(storage, other.storage)
                try Fuzzing.expect((value == other) == isEqual, "\(value) and \(other)")
                if isEqual { try Fuzzing.expect(Set([value, other]).count == 1, "hashes") }
                try Self.store(value, db)
            }
            #expect(count >= 500)
        }
    }

    private static func store(_ value: DatabaseValue, _ db: Database) throws {
        let statement = try db.makeStatement(sql: "SELECT ? AS a")
        statement.arguments = [value]
        let literal: SQL = "SELECT \(value) AS a"
        let rows = [
            try Row.fetchOne(db, sql: "SELECT ? AS a", arguments: [value]),
            try Row.fetchOne(db, sql: "SELECT :a AS a", arguments: ["a": value]),
            try Row.fetchOne(statement), try Row.fetchOne(db, SQLRequest<Row>(literal: literal)),
            Row(["a": value]),
            try Row.fetchOne(db, sql: "SELECT ? AS a", arguments: [value])?.copy(),
            try Row.fetchOne(
                db, sql: "SELECT 1, ? AS a", arguments: [value],
                adapter: SuffixRowAdapter(fromIndex: 1)),
        ].compactMap { $0 }
        try Fuzzing.expect(rows.count == 7, "rows")
        for row in rows {
            let read: DatabaseValue = row[0]
            try Fuzzing.expect(read.storage == value.storage, "\(read) is not \(value)")
        }
        try checkConversions(of: value.storage, in: rows)
        let table = Table("t")
        try db.execute(sql: "DELETE FROM t")
        try db.execute(literal: "INSERT INTO t VALUES (\(value))")
        let found = try table.filter(Column("a") == value).fetchCount(db)
        try Fuzzing.expect(found == 1, "\(value) is not found")
        let isIn = try table.filter([value].contains(Column("a"))).fetchCount(db)
        try Fuzzing.expect(isIn == (value.isNull ? 0 : 1), "\(value) in a list")
        try table.updateAll(db, Column("a").set(to: value))
        let stored = try DatabaseValue.fetchOne(db, table.select(Column("a")))
        try Fuzzing.expect((stored ?? .null).storage == value.storage, "\(value) after an update")
    }
}
