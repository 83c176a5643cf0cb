/// A hash of 64 bits of what a row holds, which stays the same on every machine.
///
/// It is the sum of hashes of its columns, so that columns can be added one by one. It finds what
/// was written without a note; it is no protection from somebody who looks for equal hashes.
package enum RowHash {
    /// The hash of one value at a column's position.
    package static func value(_ value: CapturedValue, at position: Int) -> UInt64 {
        // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        func add(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                add(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        add(UInt64(position))
        switch value {
        case .null: add(UInt8(0))
        case .integer(let integer):
            add(UInt8(1))
            add(UInt64(bitPattern: integer))
        case .real(let real):
            add(UInt8(2))
            // SQL cannot tell -0.0 from 0.0, so no trigger notes the change.
            add(real == 0 ? 0 : real.bitPattern)
        case .text(let bytes):
            add(UInt8(3))
            for byte in bytes { add(byte) }
        case .blob(let bytes):
            add(UInt8(4))
            for byte in bytes { add(byte) }
        }
        // The last bytes have to reach all bits before values are added up.
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
