/// A number that differs, most likely, where the values that went into it differ (FNV-1a).
struct Digest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ integer: Int64) {
        add(bits: UInt64(bitPattern: integer))
    }

    mutating func add(_ double: Double) {
        add(bits: double.bitPattern)
    }

    mutating func add(_ text: String) {
        for byte in text.utf8 {
            add(bits: UInt64(byte))
        }
        add(bits: .max)
    }

    mutating func addNull() {
        add(bits: .max - 1)
    }

    mutating func add(bits: UInt64) {
        value = (value ^ bits) &* 0x100_0000_01b3
    }
}
