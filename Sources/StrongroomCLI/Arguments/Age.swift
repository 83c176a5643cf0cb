/// How old something may be, as people write it: `90m`, `26h`, `7d`, `2w`.
struct Age: Equatable {
    let seconds: Double

    private static let units: [(letter: Character, name: String, seconds: Double)] = [
        ("w", "week", 604_800), ("d", "day", 86_400), ("h", "hour", 3600), ("m", "minute", 60),
        ("s", "second", 1),
    ]

    /// What is accepted, for messages.
    static let form = "a whole number and one of the letters w, d, h, m, s, such as 90m, 26h or 7d"

    init(seconds: Double) {
        self.seconds = seconds
    }

    /// Nil for anything else.
    init?(_ text: String) {
        guard let letter = text.last, let unit = Self.units.first(where: { $0.letter == letter }),
            let number = Int(text.dropLast()), (0...1_000_000).contains(number)
        else { return nil }
        seconds = Double(number) * unit.seconds
    }

    /// `3 hours`, in the largest unit of which there are two, or one exactly.
    var text: String {
        let unit =
            Self.units.first { seconds >= 2 * $0.seconds || seconds == $0.seconds }
            ?? Self.units[Self.units.count - 1]
        let count = Int(max(0, seconds) / unit.seconds)
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
}
