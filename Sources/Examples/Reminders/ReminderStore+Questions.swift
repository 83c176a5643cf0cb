import Foundation
import StrongroomTables

/// A reminder as `list` prints it; equal ones are not printed again by `watch`.
@Selection struct ReminderLine: Hashable {
    let reminder: Reminder
    let list: String
    @Column(as: [ReminderTag].JSONRepresentation.self) let tags: [ReminderTag]
}

/// A reminder that `search` found, with marks around the words.
@Selection struct FoundLine {
    let id: Reminder.ID
    let title: String
    let notes: String
    let list: String
}

/// A list as `lists` and `statistics` print it.
@Selection struct ListLine {
    let list: String
    let open: Int
    let done: Int
    let late: Int
    let next: Date?
}

/// A tag with the number of open reminders that have it.
@Selection struct TagLine {
    let tag: String
    let reminders: Int
    let place: Int
}

// What the file is asked.
extension ReminderStore {
    /// The reminders of a list, or of all lists: what matters most and is due first.
    func reminders(in list: String?, withDone: Bool) throws -> [ReminderLine] {
        try database.read { try query(list, withDone: withDone).fetchAll($0) }
    }

    private func query(
        _ list: String?, withDone: Bool
    ) -> some StrongroomTables.Statement<ReminderLine> {
        Reminder
            .join(ReminderList.all) { $0.listID.eq($1.id) }
            .leftJoin(ReminderTag.all) { reminder, _, tag in reminder.id.eq(tag.id.reminderID) }
            .where { reminder, list_, _ in
                if let list { list_.name.eq(list) }
                if !withDone { reminder.completedAt.is(nil) }
            }
            .group { reminder, _, _ in reminder.id }
            .order { reminder, list, _ in
                list.name
                reminder.priority.desc(nulls: .last)
                reminder.due.asc(nulls: .last)
                reminder.id
            }
            .select { reminder, list, tag in
                ReminderLine.Columns(
                    reminder: reminder, list: list.name, tags: tag.jsonGroupArray())
            }
    }

    /// The open reminders, each time that they change, until the task is cancelled.
    ///
    /// What other processes commit is noticed, too: the file is watched.
    func watch(_ list: String?, _ show: ([ReminderLine]) -> Void) async throws {
        #if os(Linux)
        let others = try database.observeExternalChanges()
        defer { others.cancel() }
        @FetchAll(query(list, withDone: false), database: database) var lines
        for await lines in $lines.values { show(lines) }
        #else
        throw Refusal(description: "changes of other processes are seen on Linux alone")
        #endif
    }

    /// The reminders that have all these words, or words that begin so; the best first.
    func search(_ words: String) throws -> [FoundLine] {
        let query =
            ReminderText
            .where { $0.match(words: words, .prefixes) }
            .join(Reminder.all) { $0.rowid.eq($1.rowid) }
            .join(ReminderList.all) { _, reminder, list in reminder.listID.eq(list.id) }
            .order { text, reminder, _ in (text.rank, reminder.id) }
            .select { text, reminder, list in
                FoundLine.Columns(
                    id: reminder.id, title: text.title.highlight("[", "]"),
                    notes: text.notes.snippet("[", "]", "…", 8), list: list.name)
            }
        return try database.read { try query.fetchAll($0) }
    }

    /// All lists, also those without reminders.
    func lists() throws -> [ListLine] {
        let query =
            ReminderList
            .leftJoin(Reminder.all) { $0.id.eq($1.listID) }
            .group { list, _ in list.id }
            .order { list, _ in list.name }
            .select { list, reminder in
                ListLine.Columns(
                    list: list.name,
                    open: reminder.count(filter: reminder.completedAt.is(nil)),
                    done: reminder.completedAt.count(),
                    late: reminder.count(
                        filter: reminder.completedAt.is(nil) && reminder.isLate),
                    next: reminder.due.min(filter: reminder.completedAt.is(nil)))
            }
        return try database.read { try query.fetchAll($0) }
    }

    /// The tags of open reminders, those with most reminders first.
    func tags() throws -> [TagLine] {
        let query =
            ReminderTag
            .join(Reminder.open) { $0.id.reminderID.eq($1.id) }
            .group { tag, _ in tag.id.tag }
            .order { tag, reminder in (reminder.count().desc(), tag.id.tag) }
            .select { tag, reminder in
                TagLine.Columns(
                    tag: tag.id.tag, reminders: reminder.count(),
                    place: rank().over(.order(reminder.count().desc())))
            }
        return try database.read { try query.fetchAll($0) }
    }
}
