import Foundation
import Strongroom
import Testing

/// How one Swift type reads every kind of cell: what it makes of those that suit it. All others it
/// must refuse.
struct ConversionTable: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable (Database) throws -> Void

    /// - Parameters:
    ///   - strict: What the cells become through `DatabaseValue`, and in a row that was kept.
    ///   - fast: What a cell becomes straight from the statement, if that differs: SQLite is asked for
    ///     its own conversion of the cell.
    init<Value: DatabaseValueConvertible & StatementColumnConvertible & Equatable & Sendable>(
        _ type: Value.Type, _ strict: [String: Value],
        fast: (@Sendable (Database, _ cell: String) throws -> Value?)? = nil
    ) {
        self.init(type, strict, fast: fast) { try $0.decode(Value.self, atIndex: 0) }
    }

    /// Generic code that knows no more of a type converts strictly, wherever the cell is.
    init<Value: DatabaseValueConvertible & Equatable & Sendable>(
        _ type: Value.Type, _ strict: [String: Value]
    ) {
        self.init(type, strict, fast: nil) { try $0.decode(Value.self, atIndex: 0) }
    }

    private init<Value: DatabaseValueConvertible & Equatable & Sendable>(
        _ type: Value.Type, _ strict: [String: Value],
        fast: (@Sendable (Database, _ cell: String) throws -> Value?)?,
        decode: @escaping @Sendable (Row) throws -> Value
    ) {
        testDescription = "\(type)"
        check = { db in
            #expect(strict.keys.allSatisfy(Self.cells.contains))
            for cell in Self.cells {
                let straight = try fast.map { try $0(db, cell) } ?? strict[cell]
                try Self.check(db, cell, strict: strict[cell], fast: straight, decode: decode)
            }
        }
    }

    private static func check<Value: DatabaseValueConvertible & Equatable>(
        _ db: Database, _ cell: String, strict: Value?, fast: Value?,
        decode: (Row) throws -> Value
    ) throws {
        let dbValue = try #require(try DatabaseValue.fetchOne(db, sql: "SELECT \(cell)"))
        let name = "\(Value.self) of \(cell)"
        #expect(Value.fromDatabaseValue(dbValue) == strict, "\(name) through DatabaseValue")
        let optional = dbValue.isNull ? .some(strict) : strict.map { $0 }
        #expect(Value?.fromDatabaseValue(dbValue) == optional, "optional \(name)")

        let cursor = try Row.fetchCursor(db, sql: "SELECT \(cell)")
        let row = try #require(try cursor.next())
        #expect((try? decode(row)) == fast, "\(name) from the statement")
        #expect(try cursor.next() == nil)
        #expect(
            (row[0] as DatabaseValue).storage == dbValue.storage, "reading \(name) changed the cell"
        )
        #expect((try? decode(row)) == strict, "\(name) of a kept row")
    }

    static let uuid = "'69BF8A9C-d9f0-4777-BD11-93451D84CBCF'"
    static let uuidBlob = "x'69BF8A9CD9F04777BD1193451D84CBCF'"
    static let nulText = "'a' || char(0) || 'b'"
    static let invalidText = "CAST(x'FF61' AS TEXT)"
    static let maximum = "9223372036854775807"
    static let minimum = "(-9223372036854775807 - 1)"

    /// SQL for a cell of each kind.
    static let cells =
        ["NULL"] + Array(numbers.keys) + Array(texts.keys) + Array(blobs.keys) + [invalidText]

    /// Integers and reals, as doubles.
    static let numbers: [String: Double] = [
        "0": 0, "1": 1, "-1": -1, "127": 127, "128": 128, "-128": -128, "256": 256, "32768": 32768,
        "65536": 65536, "2147483648": 2_147_483_648, "4294967296": 4_294_967_296,
        "9007199254740993": 9_007_199_254_740_992, maximum: 0x1p63, minimum: -0x1p63,
        "0.0": 0, "0.5": 0.5, "-0.5": -0.5, "1.9": 1.9, "-1.9": -1.9, "255.9": 255.9,
        "1e10": 1e10, "9.3e18": 9.3e18, "1e300": 1e300, "9e999": .infinity, "-9e999": -.infinity,
    ]

    /// What those are as integers without a fraction, where one holds them.
    static let wholeNumbers: [String: Int64] = [
        "0": 0, "1": 1, "-1": -1, "127": 127, "128": 128, "-128": -128, "256": 256, "32768": 32768,
        "65536": 65536, "2147483648": 2_147_483_648, "4294967296": 4_294_967_296,
        "9007199254740993": 9_007_199_254_740_993, maximum: .max, minimum: .min,
        "0.0": 0, "0.5": 0, "-0.5": 0, "1.9": 1, "-1.9": -1, "255.9": 255, "1e10": 10_000_000_000,
    ]

    /// Texts that are valid UTF-8.
    static let texts: [String: String] = [
        "''": "", "'abc'": "abc", "'é🐴'": "é🐴", "'12'": "12", "'1.5'": "1.5", "'-1e2'": "-1e2",
        "' 7'": " 7", "'20 small cigars'": "20 small cigars", "'1e999'": "1e999", "'nan'": "nan",
        "'2026-11-21 01:02:03'": "2026-11-21 01:02:03", "'now'": "now",
        "'https://example.com/a?b'": "https://example.com/a?b",
        uuid: "69BF8A9C-d9f0-4777-BD11-93451D84CBCF",
        uuid + " || char(0, 120)": "69BF8A9C-d9f0-4777-BD11-93451D84CBCF\0x", nulText: "a\0b",
    ]

    static let blobs: [String: Data] = [
        "x''": Data(), "zeroblob(0)": Data(), "zeroblob(2)": Data([0, 0]),
        "x'616263'": Data("abc".utf8),
        "x'EFBBBF61'": Data([0xEF, 0xBB, 0xBF, 0x61]), "x'FF61'": Data([0xFF, 0x61]),
        "x'323032362D31312D3231'": Data("2026-11-21".utf8),
        uuidBlob: Data([
            0x69, 0xBF, 0x8A, 0x9C, 0xD9, 0xF0, 0x47, 0x77, 0xBD, 0x11, 0x93, 0x45, 0x1D, 0x84,
            0xCB,
            0xCF,
        ]),
    ]

    /// The texts of blobs that hold UTF-8.
    static let blobTexts: [String: String] = [
        "x''": "", "zeroblob(0)": "", "zeroblob(2)": "\0\0", "x'616263'": "abc",
        "x'EFBBBF61'": "\u{FEFF}a", "x'323032362D31312D3231'": "2026-11-21",
    ]
}
