/// The values in the bytes of a key (`KeyBytes`), with text as it is.
enum KeyValues {
    private static let sign: UInt64 = 1 << 63

    /// Nil for bytes that no values have.
    static func values(of key: RowKey) -> [CellValue]? {
        var values: [CellValue] = []
        var rest = key.bytes[...]
        while let tag = rest.popFirst() {
            switch tag {
            case 0: values.append(.null)
            case 1, 2:
                guard rest.count >= 8 else { return nil }
                let bits = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                rest = rest.dropFirst(8)
                values.append(
                    tag == 1
                        ? .integer(Int64(bitPattern: bits ^ sign))
                        : .real(bits: bits & sign == 0 ? ~bits : bits ^ sign))
            case 3, 4:
                guard let content = content(&rest) else { return nil }
                values.append(tag == 3 ? .text(content) : .blob(content))
            default: return nil
            }
        }
        return !values.isEmpty && values.allSatisfy(isNumber) && bytes(of: values) == key.bytes
            ? values : nil
    }

    private static func isNumber(_ value: CellValue) -> Bool {
        if case .real(let bits) = value { !Double(bitPattern: bits).isNaN } else { true }
    }

    static func bytes(of values: [CellValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values {
            switch value {
            case .null: bytes.append(0)
            case .integer(let integer):
                bytes.append(1)
                bytes.append(fixed: UInt64(bitPattern: integer) ^ sign)
            case .real(let bits):
                bytes.append(2)
                bytes.append(fixed: bits & sign == 0 ? bits ^ sign : ~bits)
            case .text(let text):
                bytes.append(3)
                append(text, to: &bytes)
            case .blob(let blob):
                bytes.append(4)
                append(blob, to: &bytes)
            }
        }
        return bytes
    }

    private static func append(_ content: [UInt8], to bytes: inout [UInt8]) {
        for byte in content {
            bytes.append(byte)
            if byte == 0 { bytes.append(1) }
        }
        bytes += [0, 0]
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
