import Foundation
import StrongroomTables

/// The reminders in an encrypted file.
struct ReminderStore {
    let database: DatabaseQueue
    /// The key of the file, and those that it had earlier: backups need them.
    let keys: KeyStore

    /// Opens the file, creates it where there is none, and brings its schema up to date.
    ///
    /// The first key is created with the file.
    init(path: String, keys: KeyStore) throws {
        self.keys = keys
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(from: keys) }
        // Another process may read or write at the moment.
        configuration.busyMode = .timeout(5)
        database = try DatabaseQueue(path: path, configuration: configuration)
        try Schema.migrator.migrate(database)
    }

    /// What is wrong with a command, in words for the person who typed it.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
}

// What changes the file.
extension ReminderStore {
    /// Adds a reminder to a list, which is made where there is none.
    func add(_ new: NewReminder) throws -> Reminder {
        try database.write { db in
            let list = try ReminderList.findOrInsert(db, by: { $0.name }) {
                ReminderList.Draft(name: new.list)
            }
            let draft = Reminder.Draft(
                listID: list.id, title: new.title, notes: new.notes, priority: new.priority,
                due: new.due, rhythm: new.rhythm, links: new.links)
            let rows = try Reminder.insert { draft }.returning(\.self).fetchAll(db)
            return rows[0]
        }
    }

    /// Gives a reminder tags; those that it has stay.
    func tag(_ id: Reminder.ID, with tags: [String]) throws -> [String] {
        try database.write { db in
            let reminder = try reminder(id, db)
            try Tag.insert {
                for tag in tags { Tag(name: tag) }
            } onConflict: {
                $0.name
            }.execute(db)
            try ReminderTag.upsert {
                for tag in tags { ReminderTag(id: .init(reminderID: reminder.id, tag: tag)) }
            }.execute(db)
            return try ReminderTag.where { $0.id.reminderID.eq(id) }
                .order(by: \.id.tag).select(\.id.tag).fetchAll(db)
        }
    }

    /// Completes a reminder, or moves it to its next date.
    func complete(_ id: Reminder.ID) throws -> Reminder {
        try database.write { db in
            let old = try reminder(id, db)
            guard old.completedAt == nil else {
                throw Refusal(description: "reminder \(id) is done already")
            }
            var changed = old
            if let due = old.due, let next = old.rhythm?.date(after: due) {
                changed.due = next
            } else {
                changed.completedAt = Date()
            }
            try Reminder.update(changed, ifUnchangedFrom: old).execute(db)
            return changed
        }
    }

    private func reminder(_ id: Reminder.ID, _ db: Database) throws -> Reminder {
        guard let reminder = try Reminder.find(id).fetchOne(db) else {
            throw Refusal(description: "there is no reminder \(id)")
        }
        return reminder
    }
}

/// A reminder that is not in the file yet.
struct NewReminder {
    var list: String
    var title: String
    var notes = ""
    var priority: Priority?
    var due: Date?
    var rhythm: Rhythm?
    var links: [String] = []
}

extension Rhythm {
    /// The next date in UTC.
    func date(after date: Date) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return switch self {
        case .everyDays(let count): calendar.date(byAdding: .day, value: count, to: date)
        case .everyMonths(let count): calendar.date(byAdding: .month, value: count, to: date)
        }
    }
}
