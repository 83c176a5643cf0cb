internal import StrongroomEssentials

/// Which backups are kept: those that at least one of the rules wants.
///
/// The newest is the one that was made last, by its number, whatever its date. From there the
/// others follow back, and each period counts the first time that a backup has a date in it: one
/// that is made when the clock is wrong takes up a period, and no more. A day, week or month that
/// has no backup does not count. Days begin at midnight, weeks on Monday, in UTC.
public struct RetentionPolicy: Sendable, Equatable {
    /// So many of the newest.
    public var last: Int
    /// The newest of each of so many hours that have one.
    public var hourly: Int
    /// The newest of each of so many days that have one.
    public var daily: Int
    /// The newest of each of so many weeks that have one.
    public var weekly: Int
    /// The newest of each of so many months that have one.
    public var monthly: Int
    /// The newest of each of so many years that have one.
    public var yearly: Int
    /// All that have one of these tags.
    public var tags: Set<String>

    /// A policy; what is not given keeps nothing.
    public init(
        last: Int = 0, hourly: Int = 0, daily: Int = 0, weekly: Int = 0, monthly: Int = 0,
        yearly: Int = 0, tags: Set<String> = []
    ) {
        self.last = last
        self.hourly = hourly
        self.daily = daily
        self.weekly = weekly
        self.monthly = monthly
        self.yearly = yearly
        self.tags = tags
    }

    /// Whether it would keep nothing at all.
    var keepsNothing: Bool {
        tags.isEmpty && [last, hourly, daily, weekly, monthly, yearly].allSatisfy { $0 <= 0 }
    }

    /// The backups to keep; those of each database are counted for themselves.
    func kept(_ backups: [Backup]) -> [Backup] {
        let groups = Dictionary(grouping: backups, by: \.databaseName)
        let numbers = Set(groups.values.flatMap { keptNumbers($0) })
        return backups.filter { numbers.contains($0.number) }
    }

    private func keptNumbers(_ backups: [Backup]) -> Set<Int> {
        let newestFirst = backups.sorted { ($0.position, $0.number) > ($1.position, $1.number) }
        var numbers = Set(newestFirst.prefix(max(0, last)).map(\.number))
        numbers.formUnion(newestFirst.filter { $0.tag.map(tags.contains) ?? false }.map(\.number))
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let rules: [(count: Int, period: Set<Calendar.Component>)] = [
            (hourly, [.year, .month, .day, .hour]), (daily, [.year, .month, .day]),
            (weekly, [.yearForWeekOfYear, .weekOfYear]), (monthly, [.year, .month]),
            (yearly, [.year]),
        ]
        for (count, period) in rules {
            var seen: Set<DateComponents> = []
            for backup in newestFirst where seen.count < count {
                let parts = calendar.dateComponents(period, from: backup.date)
                if seen.insert(parts).inserted { numbers.insert(backup.number) }
            }
        }
        return numbers
    }
}

/// What pruning a repository did, or would do.
public struct PruningReport: Sendable {
    /// The backups that are kept.
    public internal(set) var kept: [Backup] = []
    /// The backups that went, or would go.
    public internal(set) var removed: [Backup] = []
    /// How many bytes became free; 0 if nothing was to be changed.
    public internal(set) var freedByteCount: Int64 = 0
    /// The size of the packs afterwards.
    public internal(set) var remainingByteCount: Int64 = 0
    /// How much room was missing to free more, on a disk that is full; 0 if nothing was.
    public internal(set) var missingByteCount: Int64 = 0
    /// What there was to notice, in sentences.
    public internal(set) var notices: [String] = []
}
