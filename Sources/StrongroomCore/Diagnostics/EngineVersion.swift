/// A version of SQLite or SQLCipher, as three numbers.
package struct EngineVersion: Comparable, CustomStringConvertible, Sendable {
    package let numbers: [Int]

    package init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
        numbers = [major, minor, patch]
    }

    /// From `3.46.1`, or `4.6.1 community`; what is missing is 0.
    package init(_ text: String) {
        let parts = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
            .prefix(3).map { Int($0) ?? 0 }
        numbers = parts + Array(repeating: 0, count: 3 - parts.count)
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }
}
