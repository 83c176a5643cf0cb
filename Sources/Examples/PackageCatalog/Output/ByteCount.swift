/// A number of bytes as a person reads it: `4.2 GB`.
struct ByteCount: CustomStringConvertible {
    var bytes: Int64

    var description: String {
        var unit = 0
        var amount = Double(bytes)
        // From 999.95 on, one decimal would be rounded to 1000.0.
        while amount >= 999.95, unit < Self.units.count - 1 {
            amount /= 1000
            unit += 1
        }
        let tenths = Int64((amount * 10).rounded())
        return unit == 0 ? "\(bytes) B" : "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }

    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
}
