/// A number of bytes as a person reads it: `4.2 MB`.
package enum ByteCount {
    private static let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]

    package static func text(_ count: Int64) -> String {
        if count == 1 { return "1 byte" }
        var value = Double(count)
        var unit = 0
        // 999.95 would be written as 1000.0.
        while value >= (unit == 0 ? 1000 : 999.95), unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        if unit == 0 { return "\(count) bytes" }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
