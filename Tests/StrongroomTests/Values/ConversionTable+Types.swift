import Foundation
import Strongroom

extension ConversionTable {
    enum Word: String, DatabaseValueConvertible { case abc, twelve = "12" }
    enum FastWord: String, DatabaseValueConvertible, StatementColumnConvertible {
        case abc
        case twelve = "12"
    }
    enum Digit: Int, DatabaseValueConvertible { case zero, one }

    static let all =
        integers + [
            ConversionTable(Double.self, numbers, fast: real),
            ConversionTable(Float.self, numbers.mapValues { Float($0) }) { db, cell in
                try real(db, cell).map { Float($0) }
            },
            ConversionTable(CGFloat.self, numbers.mapValues { CGFloat($0) }),
            ConversionTable(Bool.self, numbers.mapValues { $0 != 0 }) { db, cell in
                try integer(db, cell).map { $0 != 0 }
            },
            ConversionTable(String.self, allTexts, fast: text),
            ConversionTable(Data.self, allBytes) { db, cell in
                cell == invalidText ? Data([0xFF, 0x61]) : try bytes(db, cell)
            },
            ConversionTable(Date.self, dates),
            ConversionTable(Decimal.self, decimals),
            ConversionTable(UUID.self, uuids),
            ConversionTable(URL.self, allTexts.compactMapValues { URL(string: $0) }),
            ConversionTable(NSNull.self, [:]),
            ConversionTable(Word.self, allTexts.compactMapValues { Word(rawValue: $0) }),
            ConversionTable(FastWord.self, allTexts.compactMapValues { FastWord(rawValue: $0) }) {
                try text($0, $1).flatMap { FastWord(rawValue: $0) }
            },
            ConversionTable(
                Digit.self,
                wholeNumbers.compactMapValues { Int(exactly: $0) }
                    .compactMapValues { Digit(rawValue: $0) }),
        ]

    private static let integers = [
        ofInteger(Int.self), ofInteger(Int8.self), ofInteger(Int16.self), ofInteger(Int32.self),
        ofInteger(Int64.self), ofInteger(UInt.self), ofInteger(UInt8.self), ofInteger(UInt16.self),
        ofInteger(UInt32.self), ofInteger(UInt64.self),
    ]

    private static func ofInteger<
        I: FixedWidthInteger & DatabaseValueConvertible & StatementColumnConvertible & Sendable
    >(_ type: I.Type) -> ConversionTable {
        ConversionTable(I.self, wholeNumbers.compactMapValues { I(exactly: $0) }) { db, cell in
            try integer(db, cell).flatMap { I(exactly: $0) }
        }
    }

    private static let allTexts = texts.merging(blobTexts) { $1 }
        .merging([invalidText: "\u{FFFD}a"]) { $1 }

    private static let allBytes = texts.mapValues { Data($0.utf8) }.merging(blobs) { $1 }
        .merging([invalidText: Data("\u{FFFD}a".utf8)]) { $1 }

    private static let dates: [String: Date] = numbers.filter { $0.value.isFinite }
        .mapValues { Date(timeIntervalSince1970: $0) }
        .merging([
            "'2026-11-21 01:02:03'": Date(timeIntervalSince1970: 1_795_222_923),
            "x'323032362D31312D3231'": Date(timeIntervalSince1970: 1_795_219_200),
        ]) { $1 }

    private static let uuids: [String: UUID] = {
        let bytes = blobs[uuidBlob]?.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        guard let value = bytes.map({ UUID(uuid: $0) }) else { return [:] }
        return [uuid: value, uuidBlob: value]
    }()

    private static let decimals: [String: Decimal] = {
        let exact: [String: Decimal] = [
            "0.5": 1 / 2, "-0.5": -1 / 2, "1.9": 19 / 10, "-1.9": -19 / 10, "255.9": 2559 / 10,
            "9.3e18": Decimal(sign: .plus, exponent: 17, significand: 93), "'12'": 12,
            "'1.5'": 3 / 2, "'-1e2'": -100,
        ]
        return wholeNumbers.mapValues { Decimal($0) }.merging(exact) { $1 }
    }()

    // MARK: - SQLite's own conversions

    private static func integer(_ db: Database, _ cell: String) throws -> Int64? {
        try cast(db, cell, "INTEGER").flatMap { Int64.fromDatabaseValue($0) }
    }

    private static func real(_ db: Database, _ cell: String) throws -> Double? {
        try cast(db, cell, "REAL").flatMap { Double.fromDatabaseValue($0) }
    }

    /// A blob that is no UTF-8 is repaired, as a text is.
    @Sendable private static func text(_ db: Database, _ cell: String) throws -> String? {
        try cast(db, cell, "TEXT").flatMap { String.fromDatabaseValue($0) }
    }

    private static func bytes(_ db: Database, _ cell: String) throws -> Data? {
        try cast(db, cell, "BLOB").flatMap { Data.fromDatabaseValue($0) }
    }

    private static func cast(
        _ db: Database, _ cell: String, _ type: String
    ) throws -> DatabaseValue? {
        try DatabaseValue.fetchOne(db, sql: "SELECT CAST(\(cell) AS \(type))")
    }
}
