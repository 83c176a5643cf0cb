import Foundation
import StrongroomTables

// An app as someone writes it who knows SQLiteData from its documentation, and has not read ours.

@Table
struct RemindersList: Identifiable, Equatable {
    let id: Int
    var title = ""
    var position = 0
}

@Table
struct Reminder: Identifiable, Equatable {
    let id: Int
    var title = ""
    var notes = ""
    var dueAt: Date?
    @Column("is_completed")
    var isCompleted = false
    var priority: Priority?
    var remindersListID: RemindersList.ID

    enum Priority: Int, QueryBindable {
        case low = 1
        case medium
        case high
    }
}

@Table
struct Tag: Identifiable, Equatable {
    let id: Int
    var title = ""
}

@Table("remindersTags")
struct ReminderTag {
    let reminderID: Reminder.ID
    let tagID: Tag.ID
}

@Selection
struct ReminderAndList: Equatable {
    let reminderTitle: String
    let remindersListTitle: String
}

@Selection
struct ListWithCount: Equatable {
    let remindersList: RemindersList
    let remindersCount: Int
}

@Selection
struct Stats: Equatable {
    var allCount = 0
    var completedCount = 0
    var latest: Date?
}

extension Reminder {
    static let incomplete = Self.where { !$0.isCompleted }

    static func searching(_ text: String) -> Where<Reminder> {
        Self.where {
            if !text.isEmpty {
                $0.title.contains(text) || $0.notes.contains(text)
            }
        }
    }
}

extension Reminder.TableColumns {
    var isHighPriority: some QueryExpression<Bool> {
        self.priority.is(Reminder.Priority.high)
    }
}

enum Newcomer {
    static let monday = Date(timeIntervalSince1970: 1_795_392_000)
    static let friday = Date(timeIntervalSince1970: 1_795_737_600)

    /// Lists: 1 Family, 2 Business, 3 Empty. Reminders: 1 to 6. Tags: 1 car, 2 kids, 3 unused.
    static func migrate(_ db: Database) throws {
        try #sql(
            """
            CREATE TABLE "remindersLists" (
              "id" INTEGER PRIMARY KEY AUTOINCREMENT,
              "title" TEXT NOT NULL DEFAULT '',
              "position" INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """
        )
        .execute(db)
        try #sql(
            """
            CREATE TABLE "reminders" (
              "id" INTEGER PRIMARY KEY AUTOINCREMENT,
              "title" TEXT NOT NULL DEFAULT '',
              "notes" TEXT NOT NULL DEFAULT '',
              "dueAt" TEXT,
              "is_completed" INTEGER NOT NULL DEFAULT 0,
              "priority" INTEGER,
              "remindersListID" INTEGER NOT NULL REFERENCES "remindersLists"("id") ON DELETE CASCADE
            ) STRICT
            """
        )
        .execute(db)
        try #sql(
            """
            CREATE TABLE "tags" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL UNIQUE) STRICT;
            CREATE TABLE "remindersTags" (
              "reminderID" INTEGER NOT NULL REFERENCES "reminders"("id") ON DELETE CASCADE,
              "tagID" INTEGER NOT NULL REFERENCES "tags"("id") ON DELETE CASCADE,
              PRIMARY KEY ("reminderID", "tagID")
            ) STRICT
            """
        )
        .execute(db)
    }

    static func seed(_ db: Database) throws {
        try RemindersList.insert {
            RemindersList(id: 1, title: "Family", position: 1)
            RemindersList(id: 2, title: "Business", position: 0)
            RemindersList(id: 3, title: "Empty", position: 2)
        }
        .execute(db)
        try Reminder.insert {
            Reminder(
                id: 1, title: "Groceries", notes: "Milk, eggs", dueAt: monday, remindersListID: 1)
            Reminder(
                id: 2, title: "Haircut", dueAt: friday, isCompleted: true, priority: .low,
                remindersListID: 1)
            Reminder(id: 3, title: "Doctor", priority: .high, remindersListID: 1)
            Reminder(
                id: 4, title: "Call accountant", dueAt: friday, priority: .high, remindersListID: 2)
            Reminder(id: 5, title: "Send invoice", isCompleted: true, remindersListID: 2)
            Reminder(
                id: 6, title: "100% done?", notes: "an eggcup", priority: .medium,
                remindersListID: 2)
        }
        .execute(db)
        try Tag.insert {
            Tag(id: 1, title: "car")
            Tag(id: 2, title: "kids")
            Tag(id: 3, title: "unused")
        }
        .execute(db)
        try ReminderTag.insert {
            ReminderTag(reminderID: 1, tagID: 1)
            ReminderTag(reminderID: 1, tagID: 2)
            ReminderTag(reminderID: 3, tagID: 2)
        }
        .execute(db)
    }
}
