public import StrongroomCore
internal import StrongroomEssentials

/// A form of keys as bytes that stays the same forever, on every machine and in every version.
///
/// The form of a key is that of its values, one after the other, in the order of the key's columns.
/// Each value begins with one byte that tells its storage class:
///
/// | value | bytes |
/// |---|---|
/// | NULL, and a real number that is no number | `00` |
/// | integer | `01`, then 8 bytes: two's complement, highest byte first, the sign bit inverted |
/// | real | `02`, then 8 bytes: IEEE 754, highest byte first; all bits inverted where the sign bit is set, only the sign bit where it is not. -0.0 is 0.0 |
/// | text | `03`, then its UTF-8 with each byte `00` written as `00 01`, then `00 00` |
/// | blob | `04`, then its bytes with each byte `00` written as `00 01`, then `00 00` |
///
/// From this follow:
///
/// - Integer 1, real 1.0, text `1` and a blob with that text have four forms, though SQLite takes
///   the first two for equal.
/// - No form is the beginning of another form of as many values, and one form of several values can
///   be cut into those of its values.
/// - Compared byte by byte, values of one storage class are in SQLite's order, and the classes in
///   the order of the table. Text is compared as by BINARY: a key in a column with another collation
///   has the form of what is stored. Text is not normalised.
///
/// ```swift
/// KeyBytes.encode([1.databaseValue])  // [0x01, 0x80, 0, 0, 0, 0, 0, 0, 0x01]
/// ```
public enum KeyBytes {
    /// The form of the values of a key.
    public static func encode(_ values: [DatabaseValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values {
            switch value.storage {
            case .null: bytes.append(0)
            case .int64(let integer):
                bytes.append(1)
                append(UInt64(bitPattern: integer) ^ sign, to: &bytes)
            case .double(let real) where real.isNaN: bytes.append(0)
            case .double(let real):
                bytes.append(2)
                let bits = real == 0 ? 0 : real.bitPattern
                append(bits & sign == 0 ? bits ^ sign : ~bits, to: &bytes)
            case .string(let text):
                bytes.append(3)
                append(text.utf8, to: &bytes)
            case .blob(let blob):
                bytes.append(4)
                append(blob, to: &bytes)
            }
        }
        return bytes
    }

    /// The values that have a form; nil for bytes that ``encode(_:)`` never gives.
    public static func decode(_ bytes: [UInt8]) -> [DatabaseValue]? {
        var values: [DatabaseValue] = []
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            guard let value = value(tag, &rest) else { return nil }
            values.append(value)
        }
        return encode(values) == bytes ? values : nil
    }

    private static let sign: UInt64 = 1 << 63

    private static func append(_ bits: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }

    private static func append(_ content: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        for byte in content {
            bytes.append(byte)
            if byte == 0 { bytes.append(1) }
        }
        bytes += [0, 0]
    }

    private static func value(_ tag: UInt8, _ rest: inout ArraySlice<UInt8>) -> DatabaseValue? {
        switch tag {
        case 0: return .null
        case 1: return bits(&rest).map { Int64(bitPattern: $0 ^ sign).databaseValue }
        case 2:
            return bits(&rest).map {
                Double(bitPattern: $0 & sign == 0 ? ~$0 : $0 ^ sign).databaseValue
            }
        case 3: return content(&rest).map { String(decoding: $0, as: UTF8.self).databaseValue }
        case 4: return content(&rest).map { Data($0).databaseValue }
        default: return nil
        }
    }

    private static func bits(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func content(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == 0 else {
                content.append(byte)
                continue
            }
            switch rest.popFirst() {
            case 0: return content
            case 1: content.append(0)
            default: return nil
            }
        }
        return nil
    }
}
