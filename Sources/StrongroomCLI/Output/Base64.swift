/// Base64 as of RFC 4648, with padding.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        var pending: UInt32 = 0
        var count = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            count += 1
            if count == 3 {
                append(pending, digits: 4, to: &output)
                (pending, count) = (0, 0)
            }
        }
        if count > 0 {
            append(pending << (8 * UInt32(3 - count)), digits: count + 1, to: &output)
            output += Array(repeating: UInt8(ascii: "="), count: 3 - count)
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ group: UInt32, digits: Int, to output: inout [UInt8]) {
        for index in 0..<digits {
            output.append(alphabet[Int(group >> UInt32(18 - 6 * index)) & 63])
        }
    }
}
