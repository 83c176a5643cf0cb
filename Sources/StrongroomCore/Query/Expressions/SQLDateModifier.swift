/// What a date function does to a date before it gives its value.
///
///     // DATETIME("start", '-1 days', 'start of month')
///     dateTime(Column("start"), .day(-1), .startOfMonth)
///
/// <https://www.sqlite.org/lang_datefunc.html#modifiers>
public enum SQLDateModifier: Hashable, Sendable {
    /// Adds seconds, or takes them away.
    case second(Double)
    /// Adds minutes, or takes them away.
    case minute(Int)
    /// Adds hours, or takes them away.
    case hour(Int)
    /// Adds days, or takes them away.
    case day(Int)
    /// Adds months, or takes them away; a day beyond the month's end falls in the next one.
    case month(Int)
    /// Adds years, or takes them away.
    case year(Int)
    /// Goes back to midnight.
    case startOfDay
    /// Goes back to the first of the month.
    case startOfMonth
    /// Goes back to the first of January.
    case startOfYear
    /// Goes on to the next such day of the week, unless it is one: 0 is Sunday.
    case weekday(Int)
    /// Takes the number before for seconds since 1970.
    case unixEpoch
    /// Takes the date for one in UTC, and turns it into local time.
    case localTime
    /// Takes the date for one in local time, and turns it into UTC.
    case utc

    private var text: String {
        switch self {
        case .second(let count): "\(count) seconds"
        case .minute(let count): "\(count) minutes"
        case .hour(let count): "\(count) hours"
        case .day(let count): "\(count) days"
        case .month(let count): "\(count) months"
        case .year(let count): "\(count) years"
        case .startOfDay: "start of day"
        case .startOfMonth: "start of month"
        case .startOfYear: "start of year"
        case .weekday(let day): "weekday \(day)"
        case .unixEpoch: "unixepoch"
        case .localTime: "localtime"
        case .utc: "utc"
        }
    }
}

extension SQLDateModifier: SQLSpecificExpressible {
    public var sqlExpression: SQLExpression { text.sqlExpression }
}
