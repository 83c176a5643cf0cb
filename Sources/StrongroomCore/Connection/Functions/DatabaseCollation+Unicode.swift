// The names stand in schemas: they must not change.

extension DatabaseCollation {
    /// Orders as Swift's `<` does: by Unicode, equal when canonically equivalent.
    public static let unicodeCompare = DatabaseCollation(
        "swiftCompare", comparingBytes: unicodeOrder)

    /// The collations that every connection has.
    static let builtIn = [unicodeCompare] + (LinkedFoundation.support?.collations ?? [])

    private static let unicodeOrder: CustomCollation.Comparison = { left, right in
        asciiOrder(left, right) ?? stringOrder(left, right)
    }

    /// The order where letters of ASCII decide, so that no string has to be made; else nil.
    private static func asciiOrder(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        let common = min(left.count, right.count)
        var index = 0
        while index < common, left[index] == right[index] {
            guard left[index] < 0x80 else { return nil }
            index += 1
        }
        // What follows in another script may be an accent of the letter before.
        guard isASCII(left, from: index), isASCII(right, from: index) else { return nil }
        guard index < common else { return left.count - right.count }
        return Int(left[index]) - Int(right[index])
    }

    private static func isASCII(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> Bool {
        (index..<min(index + 2, text.count)).allSatisfy { text[$0] < 0x80 }
    }

    private static func stringOrder(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let left = String(decoding: left, as: UTF8.self)
        let right = String(decoding: right, as: UTF8.self)
        return left < right ? -1 : left == right ? 0 : 1
    }
}
