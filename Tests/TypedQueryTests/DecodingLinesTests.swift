import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Packet.TableColumns, Kept.TableColumns, Moment.TableColumns)

/// A text of its own.
struct Version: LosslessStringConvertible, Hashable, Sendable {
    var major: Int
    var description: String { "v\(major)" }
    init(_ major: Int) { self.major = major }
    init?(_ text: String) {
        guard text.hasPrefix("v"), let major = Int(text.dropFirst()) else { return nil }
        self.major = major
    }
}
extension Version: QueryBindable {}

/// A value of Strongroom.
struct Weight: DatabaseValueConvertible, Hashable, Sendable {
    var grams: Int
    var databaseValue: DatabaseValue { (grams * 1000).databaseValue }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Weight? {
        Int.fromDatabaseValue(value).map { Weight(grams: $0 / 1000) }
    }
}
extension Weight: QueryBindable {}
enum Colour: String { case red, green }
extension Colour: QueryBindable {}
struct KeptID: RawRepresentable, Hashable, QueryBindable { let rawValue: Int }

@Table struct Kept: Equatable {
    @Column(primaryKey: true) let id: KeptID
    var version: Version
    var weight: Weight
    var colour: Colour?
}

/// Two enums that are not `QueryBindable`.
enum Grade: Int { case low = 1, high }
enum Size: String { case small, large }

@Table struct Graded: Equatable {
    let id: Int
    @Column(as: Grade.RawRepresentation.self) var grade: Grade
    @Column(as: Size.RawRepresentation.self) var size: Size?
}

@Table struct Moment: Identifiable {
    let id: Int
    var at: Date
    @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
    @Column(as: Date.JulianDayRepresentation.self) var julian: Date
    @Column(as: Date.MicrosecondRepresentation.self) var micro: Date
    var plain: UUID
    @Column(as: UUID.UppercasedRepresentation.self) var upper: UUID
    @Column(as: UUID.BytesRepresentation.self) var bytes: UUID
}

/// Reads cells of a list, and counts what is read.
private struct ListDecoder: QueryDecoder {
    var cells: [DatabaseValue]
    var reads: [Int] = []
    var next = 0
    init(_ cells: [DatabaseValue]) { self.cells = cells }
    mutating func cell() throws -> DatabaseValue? {
        defer { next += 1 }
        reads.append(next)
        return cells[next].isNull ? nil : cells[next]
    }
    mutating func int64() throws -> Int64? { try cell().flatMap(Int64.fromDatabaseValue) }
    mutating func double() throws -> Double? { try cell().flatMap(Double.fromDatabaseValue) }
    mutating func text() throws -> String? { try cell().flatMap(String.fromDatabaseValue) }
    mutating func data() throws -> Data? { try cell().flatMap(Data.fromDatabaseValue) }
    mutating func skip(_ count: Int) { next += count }
    func isNull(ahead count: Int) -> Bool { cells[next + count].isNull }
    func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError {
        fatalError("\(reason)")
    }
}

@Suite struct DecodingLinesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE kepts (id INTEGER PRIMARY KEY, version, weight, colour);
                    CREATE TABLE moments (id INTEGER PRIMARY KEY, at, unix, julian, micro, plain,
                        upper, bytes);
                    """)
        }
    }

    @Test(.proves("DEC-002", "DEC-009"))
    func `types that Swift or the core can store need no code`() throws {
        let kept = Kept(
            id: KeptID(rawValue: 4), version: Version(3), weight: Weight(grams: 5), colour: .green)
        try queue.write { (db) throws in
            try Kept.insert { kept }.execute(db)
            let row = try Row.fetchOne(db, sql: "SELECT * FROM kepts")
            #expect(row == ["id": 4, "version": "v3", "weight": 5000, "colour": "green"])
            #expect(try Kept.find(KeptID(rawValue: 4)).fetchOne(db) == kept)
            let found = Kept.where {
                $0.version.eq(Version(3)) && $0.weight.in([Weight(grams: 5)])
                    && $0.colour.is(.green)
            }
            #expect(try found.fetchCount(db) == 1)
            #expect(Kept.find(KeptID(rawValue: 4)).text.hasSuffix(" WHERE `kepts`.`id` = 4"))
            for sql in ["version = '3'", "weight = 'x'", "colour = 'blue'"] {
                try db.inSavepoint {
                    try db.execute(sql: "UPDATE kepts SET \(sql)")
                    #expect(throws: QueryDecodingError.self) { try Kept.fetchAll(db) }
                    return .rollback
                }
            }
        }
    }

    @Test(.proves("DEC-008"))
    func `a type that is not bindable is stored by its raw value`() throws {
        try queue.write { (db) throws in
            try db.execute(
                sql: "CREATE TABLE gradeds (id INTEGER PRIMARY KEY, grade, size)")
            let rows = [
                Graded(id: 1, grade: .high, size: .large), Graded(id: 2, grade: .low, size: nil),
            ]
            try Graded.insert { rows }.execute(db)
            let stored = try Row.fetchOne(db, sql: "SELECT * FROM gradeds")
            #expect(stored == ["id": 1, "grade": 2, "size": "large"])
            #expect(try Graded.fetchAll(db) == rows)
            let high = Graded.where { $0.grade.eq(#bind(.high)) }
            #expect(try high.fetchAll(db) == [rows[0]])
            #expect(try Graded.select(\.size).fetchAll(db) == [.large, nil])
            try db.execute(sql: "UPDATE gradeds SET grade = 9 WHERE id = 1")
            let error = #expect(throws: QueryDecodingError.self) { try Graded.fetchAll(db) }
            #expect(error?.description.contains("no case for 9") == true)
        }
    }

    @Test(
        .proves("DEC-004"),
        arguments: [
            ("2024-01-31 10:20:30.250", 1_706_696_430.25), ("2024-01-31 10:20:30", 1_706_696_430),
            ("2024-01-31 10:20:30.2", 1_706_696_430.2),
            ("2024-01-31 10:20:30.250000000", 1_706_696_430.25),
            ("2024-01-31T10:20:30Z", 1_706_696_430),
            ("2024-01-31T10:20:30.250+02:00", 1_706_689_230.25),
            ("2024-01-31 10:20:30-01:30", 1_706_701_830), ("2024-01-31", 1_706_659_200),
        ])
    func `dates are read in all forms of a date`(text: String, seconds: Double) throws {
        let read = try queue.read { try #sql("SELECT \(bind: text)", as: Date.self).fetchOne($0) }
        #expect(abs((read?.timeIntervalSince1970 ?? 0) - seconds) < 0.000_001)
        #expect(throws: QueryDecodingError.self) {
            try queue.read { try #sql("SELECT \(bind: text + "x")", as: Date.self).fetchOne($0) }
        }
    }

    @Test(.proves("DEC-004", "DEC-005", "DEC-006"))
    func `dates and ids have representations`() throws {
        let date = Date(timeIntervalSince1970: 1_706_696_430.25)
        let id = UUID(uuidString: "0A1B2C3D-0000-4000-8000-00000000ABCD")!
        let moment = Moment(
            id: 1, at: date, unix: date, julian: date, micro: date, plain: id, upper: id, bytes: id)
        try queue.write { (db) throws in
            try Moment.insert { moment }.execute(db)
            let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM moments"))
            #expect(row["at"] as String == "2024-01-31 10:20:30.250")
            #expect(row["unix"] as Int == 1_706_696_430)
            #expect(row["micro"] as String == "2024-01-31 10:20:30.250000")
            #expect(row["julian"] as Double == 1_706_696_430.25 / 86_400 + 2_440_587.5)
            #expect(row["plain"] as String == "0a1b2c3d-0000-4000-8000-00000000abcd")
            #expect(row["upper"] as String == "0A1B2C3D-0000-4000-8000-00000000ABCD")
            #expect((row["bytes"] as Data).count == 16)
            let read = try Moment.find(db, key: 1)
            #expect(read.at == date && read.julian == date && read.micro == date)
            #expect(read.unix == Date(timeIntervalSince1970: 1_706_696_430))
            #expect(read.plain == id && read.upper == id && read.bytes == id)
            // What was read is written as it was.
            try Moment.update(read).execute(db)
            let again = try Row.fetchOne(db, sql: "SELECT at FROM moments")
            #expect(again == ["at": "2024-01-31 10:20:30.250"])
            try db.execute(sql: "UPDATE moments SET plain = upper(plain), upper = lower(upper)")
            let mixed = try Moment.find(db, key: 1)
            #expect(mixed.plain == id && mixed.upper == id)
            #expect(try Moment.where { $0.bytes.eq(id) && $0.unix.eq(date) }.fetchCount(db) == 1)
        }
    }

    @Test(.proves("DEC-005"), arguments: [-62_167_219_201.0, 253_402_300_800, .infinity, .nan])
    func `years beyond four digits are refused`(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        try queue.write { db in
            #expect(throws: QueryBuildingError.self) { try Values(date).fetchOne(db) }
            #expect(throws: QueryBuildingError.self) {
                try Moment.update { $0.unix = date }.execute(db)
            }
            #expect(throws: QueryBuildingError.self) {
                try Moment.update { $0.julian = date }.execute(db)
            }
            #expect(throws: QueryBuildingError.self) {
                try Moment.update { $0.micro = date }.execute(db)
            }
            let fine = #bind(date, as: Date.UnixTimeRepresentation.Subsecond.self)
            #expect(throws: QueryBuildingError.self) {
                try Moment.where { _ in fine.eq(fine) }.fetchAll(db)
            }
            try Moment.update { $0.at = Date(timeIntervalSince1970: -62_167_219_200) }.execute(db)
        }
    }

    @Test(.proves("DEC-010", "DEC-018"))
    func `rows are decoded by position, each column once`() throws {
        let cells: [DatabaseValue] = [
            7.databaseValue, V.fish.uuidString.databaseValue, 5.databaseValue, 0.5.databaseValue,
            .null, "A".databaseValue, 2.databaseValue, 9.databaseValue, 8.databaseValue,
            60.databaseValue, 10.0.databaseValue, "2024-01-31".databaseValue, 42.databaseValue,
        ]
        var decoder = ListDecoder(cells)
        let packet = try Packet(decoder: &decoder)
        #expect(packet.id == 7 && packet.varietyID == V.fish && packet.harvestYear == nil)
        #expect(packet.place == Place(shelf: "A", box: 2) && packet.germination?.sprouted == 8)
        // NULL is passed over without being read.
        #expect(decoder.reads == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11])
        #expect(try decoder.decode(Int.self) == 42)
        let number: Int = try {
            var rest = ListDecoder([3.databaseValue]); return try rest.decode()
        }()
        #expect(number == 3)
    }

    @Test(.proves("DEC-021"))
    func `a row tells what it stores`() throws {
        let packet = Packet(
            id: 1, varietyID: V.fish, seeds: 3, grams: nil, harvestYear: 2024,
            place: Place(shelf: "B", box: 2), germination: nil, seedsPerGram: 1.5,
            createdAt: day("2024-03-01"))
        let all = Packet.encode(packet)
        #expect(
            all.map(\.column) == [
                "id", "varietyID", "seeds", "grams", "harvestYear", "shelf", "box", "sown",
                "sprouted",
                "testedAt", "seedsPerGram", "createdAt",
            ])
        #expect(all[1].value == "00000000-0000-4000-8000-000000000005".databaseValue)
        #expect(all[3].value == .null && all[5].value == "B".databaseValue && all[9].value == .null)
        #expect(all[11].value == "2024-03-01 00:00:00.000".databaseValue)
        let written = Packet.encode(packet, written: true).map(\.column)
        #expect(written.count == 11 && !written.contains("seedsPerGram"))
    }

    @Test(.proves("DEC-024"))
    func `values have the type of the property everywhere`() throws {
        let date = Date(timeIntervalSince1970: 1_706_696_430)
        let id = UUID()
        let moment = Moment(
            id: 1, at: date, unix: date, julian: date, micro: date, plain: id, upper: id, bytes: id)
        try queue.write { (db) throws in
            let inserted = Moment.insert { moment }.returning { ($0.unix, $0.bytes) }
            let first: (Date, UUID)? = try inserted.fetchOne(db)
            #expect(first?.0 == date && first?.1 == id)
            let tuple: [(Date, Date, UUID)] = try Moment.select { ($0.unix, $0.julian, $0.upper) }
                .fetchAll(db)
            #expect(tuple[0].0 == date && tuple[0].1 == date && tuple[0].2 == id)
            let cursor: QueryCursor<Date> = try Moment.select(\.unix).fetchCursor(db)
            #expect(try cursor.next() == date)
            let set: Set<UUID> = try Moment.select(\.bytes).fetchSet(db)
            #expect(set == [id])
            let one: UUID? = try Moment.find(1).select(\.bytes).fetchOne(db)
            #expect(one == id)
        }
    }
}
