/// The values in the bytes of a key (`KeyBytes`), with text as it is.
enum KeyValues {
    private static let sign: UInt64 = 1 << 63

    /// Nil for bytes that no values have. What is read has no other form, so that it need not be written again.
    static func values(of key: RowKey) -> [CellValue]? {
        var values: [CellValue] = []
        let isKey = key.bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let tag = bytes[index]
                index += 1
                switch tag {
                case 0: values.append(.null)
                case 1, 2:
                    guard bytes.count - index >= 8 else { return false }
                    let bits = bytes[index..<index + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    index += 8
                    values.append(
                        tag == 1
                            ? .integer(Int64(bitPattern: bits ^ sign))
                            : .real(bits: bits & sign == 0 ? ~bits : bits ^ sign))
                case 3, 4:
                    guard let content = content(bytes, &index) else { return false }
                    values.append(tag == 3 ? .text(content) : .blob(content))
                default: return false
                }
            }
            return true
        }
        return isKey && !values.isEmpty && values.allSatisfy(isNumber) ? values : nil
    }

    private static func isNumber(_ value: CellValue) -> Bool {
        if case .real(let bits) = value { !Double(bitPattern: bits).isNaN } else { true }
    }

    static func bytes(of values: [CellValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count * 48)
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
        if content.contains(0) {
            for byte in content {
                bytes.append(byte)
                if byte == 0 { bytes.append(1) }
            }
        } else {
            bytes += content
        }
        bytes.append(0)
        bytes.append(0)
    }

    /// What ends with two zeros; a zero in it is followed by a one.
    private static func content(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
    ) -> [UInt8]? {
        var content: [UInt8] = []
        while let zero = bytes[index...].firstIndex(of: 0), zero + 1 < bytes.count {
            content += bytes[index..<zero]
            index = zero + 2
            switch bytes[zero + 1] {
            case 0: return content
            case 1: content.append(0)
            default: return nil
            }
        }
        return nil
    }
}
