/// A number that differs, most likely, where the values that went into it differ (FNV-1a).
struct Digest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ integer: Int64) {
        value = (value ^ UInt64(bitPattern: integer)) &* 0x100_0000_01b3
    }

    mutating func add(_ double: Double) {
        add(Int64(bitPattern: double.bitPattern))
    }

    mutating func add(_ text: String) {
        for byte in text.utf8 {
            add(Int64(byte))
        }
        add(-1)
    }

    mutating func addNull() {
        add(-2)
    }
}
