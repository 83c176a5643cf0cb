import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Reminder.TableColumns, RemindersList.TableColumns, Tag.TableColumns, ReminderTag.TableColumns
)

/// Writes, and queries around them, written from SQLiteData's documentation alone.
@Suite("Writes of a newcomer")
struct NewcomerWritesTests {
    let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase("newcomer") }
        queue = try DatabaseQueue(configuration: configuration)
        try queue.write { db in
            try Newcomer.migrate(db)
            try Newcomer.seed(db)
        }
    }

    @Test("Drafts are inserted, and give their keys (41 to 45)")
    func inserts() throws {
        try queue.write { db in
            let draft = Reminder.Draft(title: "Get milk", remindersListID: 1)
            try Reminder.insert { draft }.execute(db)
            #expect(db.lastInsertedRowID == 7)
            let id = try Reminder.insert { Reminder.Draft(title: "Get eggs", remindersListID: 1) }
                .returning(\.id).fetchOne(db)
            #expect(id == 8)
            let many = try Tag.insert {
                Tag.Draft(title: "red")
                Tag.Draft(title: "green")
            }.returning { $0 }.fetchAll(db)
            #expect(many == [Tag(id: 4, title: "red"), Tag(id: 5, title: "green")])
            try Reminder.upsert { Reminder.Draft(title: "Get tea", remindersListID: 2) }.execute(db)
            #expect(try Reminder.where { $0.title.eq("Get tea") }.fetchCount(db) == 1)
            let edited = Reminder.Draft(try #require(try Reminder.find(8).fetchOne(db)))
            var copy = edited
            copy.title = "Get ham"
            let saved = copy
            try Reminder.upsert { saved }.execute(db)
            #expect(try Reminder.find(8).select(\.title).fetchOne(db) == "Get ham")
            #expect(try Reminder.fetchCount(db) == 9)
        }
    }

    @Test("Rows are updated and deleted by key, row and condition (46 to 50)")
    func updates() throws {
        try queue.write { db in
            try Reminder.find(1).update { $0.title = "Personal" }.execute(db)
            #expect(try Reminder.find(1).fetchOne(db)?.title == "Personal")
            var reminder = try #require(try Reminder.find(3).fetchOne(db))
            reminder.isCompleted.toggle()
            reminder.dueAt = Newcomer.monday
            try Reminder.update(reminder).execute(db)
            #expect(try Reminder.find(3).fetchOne(db) == reminder)
            try Reminder.where { $0.remindersListID.eq(2) }.update { $0.isCompleted.toggle() }
                .execute(db)
            #expect(try Reminder.where(\.isCompleted).select(\.id).fetchAll(db) == [2, 3, 4, 6])
            try Reminder.delete(reminder).execute(db)
            #expect(try Reminder.find(3).fetchOne(db) == nil)
            let gone = try Reminder.where(\.isCompleted).delete().returning(\.title).fetchAll(db)
            #expect(gone.sorted() == ["100% done?", "Call accountant", "Haircut"])
        }
    }

    @Test("Duplicates go, lists are moved, orders are rewritten (51 to 54)")
    func maintenance() throws {
        try queue.write { db in
            try Reminder.insert {
                Reminder.Draft(title: "Doctor", remindersListID: 2)
                Reminder.Draft(title: "Doctor", remindersListID: 2)
            }.execute(db)
            try Reminder
                .delete()
                .where {
                    !$0.id.in(
                        Reminder
                            .select { $0.id.min() }
                            .group(by: \.title)
                    )
                }
                .execute(db)
            let doctors = try Reminder.where { $0.title.eq("Doctor") }.select(\.id).fetchAll(db)
            #expect(doctors == [3])
            let ids = [3, 1, 2]
            for (position, id) in ids.enumerated() {
                try RemindersList.find(id).update { $0.position = position }.execute(db)
            }
            #expect(try RemindersList.order(by: \.position).select(\.id).fetchAll(db) == ids)
            try RemindersList.where { $0.id.in(ids) }.update {
                $0.position = Case($0.id).when(3, then: 5).when(1, then: 6).else(7)
            }.execute(db)
            #expect(
                try RemindersList.order(by: \.id).select(\.position).fetchAll(db) == [6, 7, 5])
            try Reminder.where { $0.dueAt < Newcomer.friday && !$0.isCompleted }.update {
                $0.dueAt = Newcomer.friday
                $0.notes += " (late)"
            }.execute(db)
            #expect(try Reminder.find(1).fetchOne(db)?.notes == "Milk, eggs (late)")
        }
    }

    @Test("Rows that are there already (55 to 57)")
    func conflicts() throws {
        try queue.write { db in
            try Tag.insert(or: .ignore) { Tag.Draft(title: "car") }.execute(db)
            #expect(try Tag.fetchCount(db) == 3)
            try Tag.insert {
                ($0.title)
            } values: {
                "car"
                "bike"
            } onConflict: {
                $0.title
            } doUpdate: {
                $0.title = "a " + $1.title
            }.execute(db)
            #expect(
                try Tag.order(by: \.title).select(\.title).fetchAll(db) == [
                    "a car", "bike", "kids", "unused",
                ])
            try ReminderTag.insert {
                ($0.reminderID, $0.tagID)
            } select: {
                Reminder.where(\.isCompleted).select { ($0.id, 3) }
            } onConflictDoUpdate: { _ in
            }.execute(db)
            #expect(try ReminderTag.where { $0.tagID.eq(3) }.fetchCount(db) == 2)
        }
    }

    @Test("SQL strings know the type of what they are for (58 to 60)")
    func strings() throws {
        try queue.write { db in
            let isCompleted = true
            let reminders: [Reminder] = try #sql(
                """
                SELECT \(Reminder.columns) FROM \(Reminder.self)
                WHERE \(Reminder.isCompleted) = \(isCompleted) ORDER BY \(Reminder.title) DESC
                """, as: Reminder.self
            ).fetchAll(db)
            #expect(reminders.map(\.id) == [5, 2])
            let count: Int? = try #sql("SELECT count(*) FROM reminders", as: Int.self)
                .fetchOne(db)
            #expect(count == 6)
            try #sql("UPDATE \(Reminder.self) SET \(quote: "notes") = \(bind: "none")").execute(db)
            #expect(try Reminder.where { $0.notes.eq("none") }.fetchCount(db) == 6)
        }
    }

    @Test("A migration of rows by typed statements (61 to 63)")
    func migrations() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("Add 'notes' to tags") { db in
            try #sql("ALTER TABLE \"tags\" ADD COLUMN \"notes\" TEXT NOT NULL DEFAULT ''")
                .execute(db)
            try Tag.where { $0.title.hasPrefix("c") }.update { $0.title = $0.title.upper() }
                .execute(db)
            try Tag.where { tag in
                !ReminderTag.where { $0.tagID.eq(tag.id) }.exists()
            }.delete().execute(db)
        }
        try migrator.migrate(queue)
        try queue.read { db in
            #expect(try Tag.order(by: \.id).select(\.title).fetchAll(db) == ["CAR", "kids"])
            let counts =
                try Tag
                .group(by: \.id)
                .leftJoin(ReminderTag.all) { $0.id.eq($1.tagID) }
                .select { ($0.title, $1.reminderID.count()) }
                .fetchAll(db)
            #expect(counts.map(\.1) == [1, 2])
        }
    }
}
