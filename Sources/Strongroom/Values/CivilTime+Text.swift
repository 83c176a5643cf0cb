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
            writer.write(millisecond, digits: 3, then: nil)
            return writer.count
        }
    }

    /// Reads `YYYY-MM-DD[( |T)HH:MM[:SS[.S…]][Z|±HH:MM]]`; nil for anything else.
    ///
    /// Digits beyond the millisecond are cut. The zone, if any, is already taken off the fields.
    init?(text: UnsafeBufferPointer<UInt8>) {
        var reader = DigitReader(bytes: text)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard !reader.isAtEnd else { return }
        guard reader.skip(" ") || reader.skip("T"), readTime(&reader) else { return nil }
    }

    private mutating func readTime(_ reader: inout DigitReader) -> Bool {
        guard let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2)
        else { return false }
        (self.hour, self.minute) = (hour, minute)
        if reader.skip(":") {
            guard let second = reader.number(digits: 2) else { return false }
            self.second = second
            if reader.skip(".") {
                guard let millisecond = reader.fraction() else { return false }
                self.millisecond = millisecond
            }
        }
        return readZone(&reader) && reader.isAtEnd
    }

    private mutating func readZone(_ reader: inout DigitReader) -> Bool {
        if reader.skip("Z") { return true }
        let sign = reader.skip("+") ? -1 : reader.skip("-") ? 1 : 0
        guard sign != 0 else { return true }
        guard let hours = reader.number(digits: 2), reader.skip(":"),
            let minutes = reader.number(digits: 2)
        else { return false }
        hour += sign * hours
        minute += sign * minutes
        return true
    }
}

private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ number: Int, digits: Int, then separator: Unicode.Scalar?) {
        var rest = number
        for position in stride(from: count + digits - 1, through: count, by: -1) {
            buffer[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += digits
        if let separator {
            buffer[count] = UInt8(ascii: separator)
            count += 1
        }
    }
}

private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// One digit or more, as milliseconds.
    mutating func fraction() -> Int? {
        guard let first = digit() else { return nil }
        var milliseconds = first * 100
        var weight = 10
        while let digit = digit() {
            milliseconds += digit * weight
            weight /= 10
        }
        return milliseconds
    }

    private mutating func digit() -> Int? {
        guard index < bytes.count, case let byte = bytes[index],
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        else { return nil }
        index += 1
        return Int(byte - UInt8(ascii: "0"))
    }
}
