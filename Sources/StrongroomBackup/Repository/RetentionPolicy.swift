internal import StrongroomEssentials

/// Which backups to keep: those that at least one of the rules keeps.
///
/// The newest backup is the one created last, by its number, whatever its date. From there, the
/// rules go back, and keep the first backup in each new period that they reach. A backup with a
/// wrong date uses up one period. A day, week or month without a backup does not count. Days begin
/// at midnight, weeks on Monday, in UTC.
public struct RetentionPolicy: Sendable, Equatable {
    /// How many of the newest to keep.
    public var last: Int
    /// For how many hours with a backup to keep the newest.
    public var hourly: Int
    /// For how many days with a backup to keep the newest.
    public var daily: Int
    /// For how many weeks with a backup to keep the newest.
    public var weekly: Int
    /// For how many months with a backup to keep the newest.
    public var monthly: Int
    /// For how many years with a backup to keep the newest.
    public var yearly: Int
    /// Keeps all backups with one of these tags.
    public var tags: Set<String>

    /// Creates a policy; rules that you leave out keep nothing.
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
    /// The kept backups.
    public internal(set) var kept: [Backup] = []
    /// The backups that were removed, or would be.
    public internal(set) var removed: [Backup] = []
    /// The numbers of those that were removed although their manifests cannot be read.
    package internal(set) var unreadable: Set<UInt32> = []
    /// Whether another manifest cannot be read either.
    var isDamageLeft = false
    /// How many bytes became free; 0 for a dry run.
    public internal(set) var freedByteCount: Int64 = 0
    /// The size of the packs afterwards.
    public internal(set) var remainingByteCount: Int64 = 0
    /// How many bytes were missing on a full disk to free more; 0 if none were.
    public internal(set) var missingByteCount: Int64 = 0
    /// Notices for the user, one sentence each.
    public internal(set) var notices: [String] = []
}
