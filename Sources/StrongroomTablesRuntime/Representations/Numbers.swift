public import StrongroomSchema

/// A number of the standard library.
public protocol _BindableNumber: QueryBindable {}

extension _BindableNumber {
    @inlinable public var _boundValue: QueryBinding? { queryBinding.valid }
}

/// An integer of the standard library.
public protocol _BindableInteger: FixedWidthInteger, _BindableNumber {}

extension _BindableInteger {
    /// The integer; a number beyond 64 bits with a sign cannot be bound.
    @inlinable public var queryBinding: QueryBinding {
        guard let value = Int64(exactly: self) else {
            return .invalid(QueryBuildingError("\(self) is beyond the integers of SQLite"))
        }
        return .int(value)
    }

    /// Reads an integer.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, is no integer, or is out of range.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        guard let number = try decoder.int64() else { throw decoder.error(.null) }
        guard let value = Self(exactly: number) else {
            throw decoder.error(.value("\(number) is out of range of \(Self.self)"))
        }
        self = value
    }

    public static var _affinity: SQLiteTypeAffinity { .integer }
}

extension Int: _BindableInteger {}
extension Int8: _BindableInteger {}
extension Int16: _BindableInteger {}
extension Int32: _BindableInteger {}
extension Int64: _BindableInteger {}
extension UInt: _BindableInteger {}
extension UInt8: _BindableInteger {}
extension UInt16: _BindableInteger {}
extension UInt32: _BindableInteger {}
extension UInt64: _BindableInteger {}

extension Bool: QueryBindable {
    /// 1 or 0.
    public var queryBinding: QueryBinding { .int(self ? 1 : 0) }
    public var _boundValue: QueryBinding? { queryBinding }

    /// Reads false from 0, and true from any other integer.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no integer.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        guard let number = try decoder.int64() else { throw decoder.error(.null) }
        self = number != 0
    }

    public static var _affinity: SQLiteTypeAffinity { .integer }
}

extension Double: _BindableNumber {
    /// The number.
    public var queryBinding: QueryBinding { .double(self) }

    /// Reads a number from an INTEGER or a REAL.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no number.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        guard let number = try decoder.double() else { throw decoder.error(.null) }
        self = number
    }

    public static var _affinity: SQLiteTypeAffinity { .real }
}

extension Float: _BindableNumber {
    /// The number, as a REAL.
    public var queryBinding: QueryBinding { .double(Double(self)) }

    /// Reads a number from an INTEGER or a REAL, and rounds it.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no number.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        guard let number = try decoder.double() else { throw decoder.error(.null) }
        self = Float(number)
    }

    public static var _affinity: SQLiteTypeAffinity { .real }
}
