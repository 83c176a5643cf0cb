public import Foundation
public import StrongroomCore

// The classes that Foundation has for what Swift has values for: each is stored as that value, and is
// read from whatever the value is read from.

extension NSNull: DatabaseValueConvertible {
    /// NULL.
    public var databaseValue: DatabaseValue { .null }

    /// Gives nil, also for NULL: it stands for no value.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? { nil }
}

extension NSString: DatabaseValueConvertible {
    /// A text.
    public var databaseValue: DatabaseValue { String(describing: self).databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        String.fromDatabaseValue(dbValue).flatMap { NSString(string: $0) as? Self }
    }
}

extension NSData: DatabaseValueConvertible {
    /// A blob.
    public var databaseValue: DatabaseValue { Data(referencing: self).databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        Data.fromDatabaseValue(dbValue).flatMap { NSData(data: $0) as? Self }
    }
}

extension NSDate: DatabaseValueConvertible {
    /// `YYYY-MM-DD HH:MM:SS.SSS` in UTC, rounded to the millisecond.
    public var databaseValue: DatabaseValue { date.databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        Date.fromDatabaseValue(dbValue).flatMap {
            NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) as? Self
        }
    }

    private var date: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
    }
}

extension NSURL: DatabaseValueConvertible {
    /// The absolute form, as text; NULL if there is none.
    public var databaseValue: DatabaseValue { absoluteString.databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        URL.fromDatabaseValue(dbValue).flatMap { NSURL(string: $0.absoluteString) as? Self }
    }
}

extension NSUUID: DatabaseValueConvertible {
    /// A blob of 16 bytes.
    public var databaseValue: DatabaseValue { UUID(uuidString: uuidString).databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        UUID.fromDatabaseValue(dbValue).flatMap { NSUUID(uuidString: $0.uuidString) as? Self }
    }
}

extension NSNumber: DatabaseValueConvertible {
    /// An integer or a real; all digits of a decimal that is no such integer, as text.
    ///
    /// - Precondition: An integer is no greater than `Int64.max`: SQLite stores no larger ones.
    public var databaseValue: DatabaseValue {
        if let decimal = (self as? NSDecimalNumber)?.decimalValue {
            return NSDecimalNumber(value: int64Value).decimalValue == decimal
                ? int64Value.databaseValue : decimal.databaseValue
        }
        return switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): doubleValue.databaseValue
        case UInt8(ascii: "Q"): uint64Value.databaseValue
        default: int64Value.databaseValue
        }
    }

    /// Integers, reals, and texts that are one number, which become an `NSDecimalNumber`.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        switch dbValue.storage {
        // A number is no decimal number; where one is asked for, it has to be made as one.
        case .int64(let int64):
            NSNumber(value: int64) as? Self ?? NSDecimalNumber(value: int64) as? Self
        case .double(let double):
            NSNumber(value: double) as? Self ?? NSDecimalNumber(value: double) as? Self
        case .string:
            Decimal.fromDatabaseValue(dbValue).flatMap { NSDecimalNumber(decimal: $0) as? Self }
        case .blob, .null: nil
        }
    }
}

extension CGFloat: DatabaseValueConvertible {}
