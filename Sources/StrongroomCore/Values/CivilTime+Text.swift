extension CivilTime {
    /// `YYYY-MM-DD HH:MM:SS.SSS`, the format that sorts as text and that SQLite's functions read.
    var text: String {
        // A year of more digits, or with a sign, has no place in the format: it is written so that
        // nothing is lost, but not read back.
        guard (0...9999).contains(year) else {
            var inFormat = self
            inFormat.year = 0
            return "\(year)\(inFormat.text.dropFirst(4))"
        }
        return textInFormat
    }

    private var textInFormat: String {
        String(unsafeUninitializedCapacity: 23) { buffer in
            var writer = DigitWriter(buffer: buffer)
            writer.write(year, digits: 4, then: "-")
            writer.write(month, digits: 2, then: "-")
            writer.write(day, digits: 2, then: " ")
            writer.write(hour, digits: 2, then: ":")
            writer.write(minute, digits: 2, then: ":")
            writer.write(second, digits: 2, then: ".")
            writer.write(nanosecond / 1_000_000, digits: 3, then: nil)
            return writer.count
        }
    }

    /// Reads a date with or without a time, and takes the zone, if any, off the fields.
    init?(text: UnsafeBufferPointer<UInt8>) {
        guard let found = DateTimeText(text), found.format.hasDate else { return nil }
        self = found.time
        minute -= found.zoneMinutes ?? 0
    }
}

private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ number: Int, digits: Int, then separator: Unicode.Scalar?) {
        // Unsigned and unchecked: fields are small and never negative, and this is half of the time.
        var rest = UInt(bitPattern: number)
        var position = count &+ digits
        while position > count {
            position &-= 1
            buffer[position] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
            rest /= 10
        }
        count &+= digits
        if let separator {
            buffer[count] = UInt8(ascii: separator)
            count &+= 1
        }
    }
}
