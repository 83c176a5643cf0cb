public import StrongroomCore
public import StrongroomSchema

// `QueryBindable` alone suffices for types that Swift, or Strongroom, already knows how to store.

extension QueryBindable where Self: RawRepresentable, RawValue: QueryBindable {
    /// The raw value.
    public var queryBinding: QueryBinding { rawValue.queryBinding }

    /// Reads the raw value, and makes the value of it.
    ///
    /// - Throws: `QueryDecodingError` when the raw value does not fit its type, or has no case.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        let rawValue = try RawValue(decoder: &decoder)
        guard let value = Self(rawValue: rawValue) else {
            throw decoder.error(.value("no case for \(_quoted(rawValue))"))
        }
        self = value
    }

    public static var _affinity: SQLiteTypeAffinity { RawValue._affinity }
}

extension QueryBindable where Self: LosslessStringConvertible {
    /// The description.
    public var queryBinding: QueryBinding { .text(description) }

    /// Reads a text, and makes the value of it.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is a text that the
    ///   type refuses.
    public init(decoder: inout some QueryDecoder) throws {
        let text = try String(decoder: &decoder)
        guard let value = Self(text) else {
            throw decoder.error(.value("\"\(text)\" is no \(Self.self)"))
        }
        self = value
    }
}

extension QueryBindable where Self: DatabaseValueConvertible {
    /// The value as Strongroom stores it.
    public var queryBinding: QueryBinding { QueryBinding(databaseValue) }

    /// Reads a value as Strongroom stores it.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or the type refuses what it holds.
    public init(decoder: inout some QueryDecoder) throws {
        guard let cell = try decoder.cell() else { throw decoder.error(.null) }
        guard let value = Self.fromDatabaseValue(cell) else {
            throw decoder.error(.value("\(cell) is no \(Self.self)"))
        }
        self = value
    }
}

extension QueryBindable
where Self: DatabaseValueConvertible & RawRepresentable, RawValue: QueryBindable {
    /// The value as Strongroom stores it.
    public var queryBinding: QueryBinding { QueryBinding(databaseValue) }

    /// Reads a value as Strongroom stores it.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or has no case.
    public init(decoder: inout some QueryDecoder) throws {
        guard let cell = try decoder.cell() else { throw decoder.error(.null) }
        guard let value = Self.fromDatabaseValue(cell) else {
            throw decoder.error(.value("no case for \(cell)"))
        }
        self = value
    }

    public static var _affinity: SQLiteTypeAffinity { RawValue._affinity }
}

/// A value in words: text in double quotes, anything else as it is.
@usableFromInline
func _quoted(_ value: some Any) -> String {
    (value as? String).map { "\"\($0)\"" } ?? "\(value)"
}

/// A value stored by its raw value.
public struct RawValueOf<Value: RawRepresentable>: QueryBindable
where Value.RawValue: QueryBindable {
    public typealias QueryOutput = Value
    public var queryOutput: Value
    public init(queryOutput: Value) { self.queryOutput = queryOutput }
    /// The raw value.
    public var queryBinding: QueryBinding { queryOutput.rawValue.queryBinding }

    /// Reads the raw value, and makes the value of it.
    ///
    /// - Throws: `QueryDecodingError` when the raw value does not fit its type, or has no case.
    public init(decoder: inout some QueryDecoder) throws {
        let rawValue = try Value.RawValue(decoder: &decoder)
        guard let value = Value(rawValue: rawValue) else {
            throw decoder.error(.value("no case for \(_quoted(rawValue))"))
        }
        queryOutput = value
    }

    public static var _affinity: SQLiteTypeAffinity { Value.RawValue._affinity }
}

extension RawRepresentable where RawValue: QueryBindable {
    /// The value as its raw value, where the type itself is not `QueryBindable`.
    public typealias RawRepresentation = RawValueOf<Self>
}
