/// A change of a date by SQLite: `.startOfMonth.months(1).days(-1)`.
public struct DateTimeModifier: Sendable {
    var parts: [QueryFragment] = []

    private func adding(_ text: String) -> DateTimeModifier {
        DateTimeModifier(parts: parts + [QueryFragment(text: text.quotedText, shape: .bare)])
    }

    private func adding(_ count: some Numeric & CustomStringConvertible, _ unit: String)
        -> DateTimeModifier
    {
        DateTimeModifier(parts: parts + ["\(count) \(unit)".queryFragment])
    }

    private func adding(_ seconds: Double) -> DateTimeModifier {
        guard seconds.isFinite else {
            let failure = QueryFragment(failure: "\(seconds) is no number of seconds")
            return DateTimeModifier(parts: parts + [failure])
        }
        return adding(seconds, "seconds")
    }

    /// Years later, or with a negative number, earlier.
    public func years(_ count: Int) -> DateTimeModifier { adding(count, "years") }
    /// Years later, or with a negative number, earlier.
    ///
    ///     try Item.find(1).select { $0.due(.years(-1)).year }.fetchOne(db)  // 2025
    public static func years(_ count: Int) -> DateTimeModifier { Self().years(count) }

    /// Months later, or with a negative number, earlier.
    public func months(_ count: Int) -> DateTimeModifier { adding(count, "months") }
    /// Months later, or with a negative number, earlier.
    ///
    ///     try Item.find(3).select { $0.due(.months(1).days(-1)).strftime("%F") }.fetchOne(db)
    ///     // "2026-12-31"
    public static func months(_ count: Int) -> DateTimeModifier { Self().months(count) }

    /// Days later, or with a negative number, earlier.
    public func days(_ count: Int) -> DateTimeModifier { adding(count, "days") }
    /// Days later, or with a negative number, earlier.
    ///
    ///     Item.find(1).update { $0.due = $0.due(.days(7)) }
    ///     // UPDATE "items" SET "due" = datetime("items"."due", '7 days', 'subsec') WHERE
    ///     // "items"."id" = 1
    public static func days(_ count: Int) -> DateTimeModifier { Self().days(count) }

    /// Hours later, or with a negative number, earlier.
    public func hours(_ count: Int) -> DateTimeModifier { adding(count, "hours") }
    /// Hours later, or with a negative number, earlier.
    ///
    ///     Item.where { $0.changedAt > .now(.hours(-1)) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."changedAt" > datetime('now', '-1
    ///     // hours', 'subsec')
    public static func hours(_ count: Int) -> DateTimeModifier { Self().hours(count) }

    /// Minutes later, or with a negative number, earlier.
    public func minutes(_ count: Int) -> DateTimeModifier { adding(count, "minutes") }
    /// Minutes later, or with a negative number, earlier.
    ///
    ///     try Item.find(1).select { $0.due(.minutes(90)).strftime("%H:%M") }.fetchOne(db)
    ///     // "01:30"
    public static func minutes(_ count: Int) -> DateTimeModifier { Self().minutes(count) }

    /// Seconds later, or with a negative number, earlier.
    public func seconds(_ count: Double) -> DateTimeModifier { adding(count) }
    /// Seconds later, or with a negative number, earlier.
    ///
    ///     Item.find(1).update { $0.due = $0.due(.seconds(30)) }
    ///     // UPDATE "items" SET "due" = datetime("items"."due", '30.0 seconds', 'subsec')
    ///     // WHERE "items"."id" = 1
    public static func seconds(_ count: Double) -> DateTimeModifier { Self().seconds(count) }

    /// Milliseconds later, or with a negative number, earlier.
    public func milliseconds(_ count: Int) -> DateTimeModifier { adding(Double(count) / 1000) }
    /// Milliseconds later, or with a negative number, earlier.
    public static func milliseconds(_ count: Int) -> DateTimeModifier {
        Self().milliseconds(count)
    }

    /// Days later until it is a day of the week, 0 being Sunday.
    public func weekday(_ day: Int) -> DateTimeModifier { adding("weekday \(day)") }
    /// Days later until it is a day of the week, 0 being Sunday.
    ///
    ///     // The next Monday, or the day itself.
    ///     try Item.find(1).select { $0.due(.weekday(1)).strftime("%F") }.fetchOne(db)
    ///     // "2026-11-30"
    public static func weekday(_ day: Int) -> DateTimeModifier { Self().weekday(day) }

    /// Midnight of the day.
    public var startOfDay: DateTimeModifier { adding("start of day") }
    /// Midnight of the day.
    public static var startOfDay: DateTimeModifier { Self().startOfDay }

    /// Midnight of the first day of the month.
    public var startOfMonth: DateTimeModifier { adding("start of month") }
    /// Midnight of the first day of the month.
    public static var startOfMonth: DateTimeModifier { Self().startOfMonth }

    /// Midnight of the first day of the year.
    public var startOfYear: DateTimeModifier { adding("start of year") }
    /// Midnight of the first day of the year.
    public static var startOfYear: DateTimeModifier { Self().startOfYear }

    /// Where the day goes that a month has not: the 31st of January and a month later.
    public enum Overflow: String, Sendable, Hashable {
        /// Into the next month.
        case ceiling
        /// To the last day of the month.
        case floor
    }

    /// Years later, and where the 29th of February goes in a year that has none.
    public func years(_ count: Int, _ overflow: Overflow) -> DateTimeModifier {
        years(count).adding(overflow.rawValue)
    }
    /// Years later, and where the 29th of February goes in a year that has none.
    public static func years(_ count: Int, _ overflow: Overflow) -> DateTimeModifier {
        Self().years(count, overflow)
    }

    /// Months later, and where a day goes that the month has not.
    public func months(_ count: Int, _ overflow: Overflow) -> DateTimeModifier {
        months(count).adding(overflow.rawValue)
    }
    /// Months later, and where a day goes that the month has not.
    ///
    ///     Item.find(1).update { $0.due = $0.due(.months(1, .floor)) }
    ///     // UPDATE "items" SET "due" = datetime("items"."due", '1 months', 'floor', 'subsec')
    ///     // WHERE "items"."id" = 1
    public static func months(_ count: Int, _ overflow: Overflow) -> DateTimeModifier {
        Self().months(count, overflow)
    }

    /// Where a month is too short, the days beyond its end count into the next one.
    public var ceiling: DateTimeModifier { adding("ceiling") }

    /// Where a month is too short, its last day.
    public var floor: DateTimeModifier { adding("floor") }
}
