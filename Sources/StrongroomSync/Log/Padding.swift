/// What hides how long a content is.
package enum SyncPadding: Sendable, Hashable {
    /// Some zeros, which are never more than an eighth of the content and leave few different lengths.
    /// <https://petsymposium.org/popets/2019/popets-2019-0056.pdf>
    case padme
    /// The content as it is.
    case none

    static let countByteCount = 4

    /// The length for a content of so many bytes.
    package static func padme(_ count: Int) -> Int {
        guard count > 1 else { return count }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let bits = Int.bitWidth - exponent.leadingZeroBitCount
        guard exponent > bits else { return count }
        let mask = 1 << (exponent - bits) - 1
        return (count + mask) & ~mask
    }

    /// The number of bytes, the content, and zeros.
    func pad(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        let count = content.count + Self.countByteCount
        let padded = self == .padme ? Self.padme(count) : count
        bytes.reserveCapacity(padded)
        bytes.append(fixed: UInt32(content.count))
        bytes += content
        bytes.append(contentsOf: repeatElement(0, count: padded - count))
        return bytes
    }

    /// The content; both forms are read.
    static func unpad(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] {
        var reader = ObjectReader(bytes)
        let count = Int(try reader.fixed(UInt32.self))
        let content = Array(try reader.take(count))
        let length = count + countByteCount
        guard bytes.count == length || bytes.count == padme(length),
            bytes[length...].allSatisfy({ $0 == 0 })
        else { throw .malformed("the padding is not what it should be") }
        return content
    }
}
