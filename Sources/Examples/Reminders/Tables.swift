import Foundation
import StrongroomTables

/// A list of reminders, told apart by its name.
@Table("lists") struct ReminderList: Identifiable {
    let id: Int
    var name = ""
}

/// Something to do.
@Table struct Reminder: Identifiable, Hashable {
    let id: Int
    var listID: ReminderList.ID
    var title = ""
    var notes = ""
    var priority: Priority?
    var due: Date?
    var rhythm: Rhythm?
    @Column(as: [String].JSONRepresentation.self) var links: [String] = []
    var completedAt: Date?

    static let open = Self.where { $0.completedAt.is(nil) }
}

/// How much a reminder matters, stored as a number, so that it can be ordered.
enum Priority: Int, QueryBindable, CaseIterable {
    case low = 1
    case medium, high
}

/// When a reminder comes back. Each case is a column, of which one is set.
@Selection enum Rhythm: Hashable {
    case everyDays(Int)
    case everyMonths(Int)
}

/// A word that reminders share. The word itself is the key.
@Table struct Tag {
    @Column(primaryKey: true) let name: String
}

/// A tag of a reminder. Its key has two columns.
@Table("remindersTags", withoutRowID: true) struct ReminderTag: Hashable {
    @Selection struct ID: Hashable {
        let reminderID: Reminder.ID
        let tag: String
    }
    let id: ID
}

/// The words of the reminders, as SQLite's full-text search knows them.
@Table("reminderTexts") struct ReminderText: FullTextTable {
    var title = ""
    var notes = ""
}

extension Reminder.TableColumns {
    /// Whether the reminder should have been done; unknown without a date.
    var isLate: some QueryExpression<Bool?> { due < Date() }
}
