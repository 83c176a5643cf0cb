/// A date and a time of day in UTC, in the proleptic Gregorian calendar, as SQLite counts.
///
/// Days are converted with the era arithmetic of the Gregorian calendar: 400 years are 146,097 days,
/// and a year that begins in March has its leap day at the end.
struct CivilTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(millisecondsSince1970 milliseconds: Int64) {
        let (days, rest) = Self.floorDivide(milliseconds, 86_400_000)
        (year, month, day) = Self.date(daysSince1970: Int(days))
        hour = Int(rest / 3_600_000)
        minute = Int(rest / 60_000 % 60)
        second = Int(rest / 1000 % 60)
        nanosecond = Int(rest % 1000) * 1_000_000
    }

    /// Without the nanoseconds. Fields out of range roll over: 30 February is a day in March.
    var secondsSince1970: Int64 {
        (Int64(Self.days(year: year, month: month, day: day)) * 24 + Int64(hour)) * 3600
            + Int64(minute) * 60 + Int64(second)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static let daysPerEra = 146_097
    /// From 1 March of year 0 to 1 January 1970.
    private static let daysTo1970 = 719_468

    private static func days(year: Int, month: Int, day: Int) -> Int {
        guard (1...12).contains(month) else {
            let (years, monthIndex) = floorDivide(Int64(month) - 1, 12)
            return days(year: year + Int(years), month: Int(monthIndex) + 1, day: day)
        }
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysTo1970
    }

    private static func date(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + daysTo1970
        let era = (days >= 0 ? days : days - (daysPerEra - 1)) / daysPerEra
        let dayOfEra = days - era * daysPerEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}
