package import StrongroomEssentials

/// Times as our files have them: `2026-11-21T15:04:05.678Z`, in UTC.
///
/// They are the database's own, with other signs between. Foundation's formats bring its calendars
/// and their data along, which a backup of few pages would wait for longer than for its pages.
package enum WrittenTime {
    private static let separator = 10

    package static func text(of date: Date) -> String {
        let text = String.fromDatabaseValue(date.databaseValue) ?? ""
        return text.prefix(separator) + "T" + text.dropFirst(separator + 1) + "Z"
    }

    /// Nil for a text that is written differently.
    package static func date(of text: String) -> Date? {
        guard let date = Date.fromDatabaseValue(text.databaseValue), self.text(of: date) == text
        else { return nil }
        return date
    }
}
