public import Foundation

extension NSNull: DatabaseValueConvertible {
    /// NULL.
    public var databaseValue: DatabaseValue { .null }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        dbValue.isNull ? NSNull() as? Self : nil
    }
}
