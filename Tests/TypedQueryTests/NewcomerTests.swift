import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// Queries that were written from SQLiteData's documentation alone, without a look at ours.
@Suite("Queries of a newcomer")
struct NewcomerTests {
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

    @Test("Whole tables, filters and orders")
    func simple() throws {
        try queue.read { db in
            #expect(try Reminder.fetchAll(db).count == 6)
            #expect(try Reminder.all.fetchAll(db).map(\.id) == [1, 2, 3, 4, 5, 6])
            #expect(try Reminder.fetchCount(db) == 6)
            #expect(try Reminder.count().fetchOne(db) == 6)
            #expect(try Reminder.where(\.isCompleted).fetchAll(db).map(\.id) == [2, 5])
            #expect(try Reminder.where(\.isCompleted).count().fetchOne(db) == 2)
            let titles = try Reminder.order(by: \.title).select(\.title).fetchAll(db)
            #expect(
                titles == [
                    "100% done?", "Call accountant", "Doctor", "Groceries", "Haircut",
                    "Send invoice",
                ])
            #expect(
                try Reminder.where(\.isCompleted).order { $0.title.desc() }
                    .fetchAll(db).map(\.title) == ["Send invoice", "Haircut"])
            #expect(try Reminder.where { !$0.isCompleted }.fetchCount(db) == 4)
            #expect(
                try Reminder.where { $0.priority.eq(.high) }.order(by: \.isCompleted)
                    .fetchAll(db).map(\.id) == [3, 4])
            #expect(try Reminder.where { $0.priority.is(nil) }.select(\.id).fetchAll(db) == [1, 5])
            #expect(
                try Reminder.where { $0.dueAt > Newcomer.monday }.select(\.id).fetchAll(db) == [
                    2, 4,
                ])
            #expect(
                try Reminder.where { $0.title.contains("oc") }.select(\.id).fetchAll(db) == [1, 3])
            #expect(
                try Reminder.where { $0.title.contains("0% d") }.select(\.id).fetchAll(db) == [6])
            #expect(try Reminder.where { $0.id.in([1, 3, 99]) }.fetchCount(db) == 2)
            #expect(try Reminder.find(3).fetchOne(db)?.title == "Doctor")
            #expect(try Reminder.find(99).fetchOne(db) == nil)
            #expect(
                try Reminder.order { ($0.isCompleted.desc(), $0.title) }.limit(2)
                    .select { ($0.isCompleted, $0.title) }.fetchAll(db).map(\.1)
                    == ["Haircut", "Send invoice"])
            #expect(
                try Reminder.order(by: \.id).limit(2, offset: 3).select(\.id).fetchAll(db) == [
                    4, 5,
                ])
        }
    }

    @Test("Dynamic queries", arguments: [true, false])
    func dynamic(isForward: Bool) throws {
        let filterDate: Date? = nil
        try queue.read { db in
            let found =
                try Reminder
                .where { $0.dueAt > #bind(filterDate ?? .distantPast) }
                .order {
                    if isForward {
                        $0.dueAt
                    } else {
                        $0.dueAt.desc()
                    }
                }
                .limit(1)
                .fetchAll(db)
            #expect(found.map(\.dueAt) == [isForward ? Newcomer.monday : Newcomer.friday])
            #expect(
                try Reminder.searching("egg").order(by: \.id).select(\.id).fetchAll(db) == [1, 6])
            #expect(try Reminder.searching("").fetchCount(db) == 6)
            #expect(try Reminder.incomplete.where(\.isHighPriority).fetchCount(db) == 2)
        }
    }

    @Test("Joins, groups and selections")
    func joins() throws {
        try queue.read { db in
            let records =
                try Reminder
                .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
                .where { reminder, _ in reminder.isCompleted }
                .order { reminder, _ in reminder.id }
                .select {
                    ReminderAndList.Columns(reminderTitle: $0.title, remindersListTitle: $1.title)
                }
                .fetchAll(db)
            #expect(
                records == [
                    ReminderAndList(reminderTitle: "Haircut", remindersListTitle: "Family"),
                    ReminderAndList(reminderTitle: "Send invoice", remindersListTitle: "Business"),
                ])
            let counts =
                try RemindersList
                .group(by: \.id)
                .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
                .order { lists, _ in lists.position }
                .select {
                    ListWithCount.Columns(remindersList: $0, remindersCount: $1.count())
                }
                .fetchAll(db)
            #expect(counts.map(\.remindersCount) == [3, 3, 0])
            #expect(counts.map(\.remindersList.title) == ["Business", "Family", "Empty"])
        }
    }

    @Test("Joins with conditions, and rows without partners")
    func outerJoins() throws {
        try queue.read { db in
            let pairs =
                try RemindersList
                .group(by: \.id)
                .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) && !$1.isCompleted }
                .select { ($0.title, $1.count()) }
                .fetchAll(db)
            #expect(pairs.map(\.0).sorted() == ["Business", "Empty", "Family"])
            #expect(pairs.map(\.1).sorted() == [0, 2, 2])
            let both = try Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }
                .order { $1.position }
                .fetchAll(db)
            #expect(both.first?.1.title == "Business")
            let missing =
                try RemindersList
                .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
                .where { $1.id.is(nil) }
                .fetchAll(db)
            #expect(missing.map(\.0.title) == ["Empty"])
            #expect(missing.first?.1 == nil)
        }
    }

    @Test("Joins of three tables")
    func longJoins() throws {
        try queue.read { db in
            let tagged =
                try Reminder
                .join(ReminderTag.all) { $0.id.eq($1.reminderID) }
                .join(Tag.all) { $1.tagID.eq($2.id) }
                .where { $2.title.eq("kids") }
                .order { reminder, _, _ in reminder.title }
                .select { reminder, _, tag in (reminder.title, tag.title) }
                .fetchAll(db)
            #expect(tagged.map(\.0) == ["Doctor", "Groceries"])
            let titles =
                try Reminder
                .group(by: \.id)
                .leftJoin(ReminderTag.all) { $0.id.eq($1.reminderID) }
                .leftJoin(Tag.all) { $1.tagID.eq($2.id) }
                .where { reminder, _, _ in reminder.id.eq(1) }
                .select { ($0.title, $2.title.groupConcat()) }
                .fetchOne(db)
            #expect(titles?.1?.split(separator: ",").sorted() == ["car", "kids"])
            let many =
                try RemindersList
                .group(by: \.id)
                .join(Reminder.all) { $0.id.eq($1.remindersListID) }
                .having { $1.isCompleted.sum().eq(1) }
                .select { list, _ in list.title }
                .fetchAll(db)
            #expect(many.sorted() == ["Business", "Family"])
        }
    }

    @Test("Aggregates")
    func aggregates() throws {
        try queue.read { db in
            let stats =
                try Reminder.select {
                    Stats.Columns(
                        allCount: $0.count(),
                        completedCount: $0.count(filter: $0.isCompleted),
                        latest: $0.dueAt.max())
                }
                .fetchOne(db)
            #expect(stats == Stats(allCount: 6, completedCount: 2, latest: Newcomer.friday))
            let largest: Int? = try Reminder.select { $0.id.max() }.fetchOne(db) ?? nil
            #expect(largest == 6)
            #expect(try Reminder.select { $0.priority.count(distinct: true) }.fetchOne(db) == 3)
            let byPriority =
                try Reminder.group(by: \.priority).order(by: \.priority)
                .select { ($0.priority, $0.count()) }.fetchAll(db)
            #expect(byPriority.map(\.1) == [2, 1, 1, 2])
            #expect(byPriority.map(\.0) == [nil, .low, .medium, .high])
        }
    }

    @Test("Subqueries, unions and common table expressions")
    func subqueries() throws {
        try queue.read { db in
            let busy =
                try RemindersList.where {
                    $0.id.in(Reminder.where(\.isCompleted).select(\.remindersListID))
                }
                .fetchCount(db)
            #expect(busy == 2)
            let unused =
                try Tag.where { tag in
                    !ReminderTag.where { $0.tagID.eq(tag.id) }.exists()
                }
                .fetchAll(db)
            #expect(unused.map(\.title) == ["unused"])
            let names =
                try Tag.select(\.title).union(RemindersList.select(\.title)).fetchAll(db)
            #expect(names.count == 6)
            let distinct = try Reminder.distinct().select(\.remindersListID).fetchAll(db)
            #expect(distinct.sorted() == [1, 2])
            let recent =
                try With {
                    Reminder.incomplete.select {
                        ReminderAndList.Columns(reminderTitle: $0.title, remindersListTitle: "none")
                    }
                } query: {
                    ReminderAndList.select(\.reminderTitle).order(by: \.reminderTitle)
                }
                .fetchAll(db)
            #expect(recent == ["100% done?", "Call accountant", "Doctor", "Groceries"])
            let shout = try Reminder.find(1).select { $0.title.upper() + "!" }.fetchOne(db)
            #expect(shout == "GROCERIES!")
            let fallback = try Reminder.order(by: \.id).select { $0.priority ?? .low }.fetchAll(db)
            #expect(fallback == [.low, .low, .high, .high, .low, .medium])
        }
    }

    @Test("SQL strings")
    func strings() throws {
        try queue.read { db in
            let completed =
                try #sql(
                    """
                    SELECT \(Reminder.columns)
                    FROM \(Reminder.self)
                    WHERE \(Reminder.isCompleted)
                    ORDER BY \(Reminder.title) DESC
                    """,
                    as: Reminder.self
                )
                .fetchAll(db)
            #expect(completed.map(\.id) == [5, 2])
            let word = "'; DROP TABLE reminders; --"
            let found =
                try #sql(
                    "SELECT count(*) FROM \(Reminder.self) WHERE \(Reminder.title) = \(bind: word)",
                    as: Int.self
                )
                .fetchOne(db)
            #expect(found == 0)
            let due = try Reminder.where { #sql("\($0.dueAt) IS NOT NULL") }.fetchCount(db)
            #expect(due == 3)
        }
    }

    @Test("A typed query is observed as any request")
    func observed() async throws {
        let values = ValueObservation.tracking { db in
            try Reminder.where(\.isCompleted).fetchCount(db)
        }
        .values(in: queue)
        var seen: [Int] = []
        for try await value in values {
            seen.append(value)
            if seen.count == 2 { break }
            try await queue.write {
                try Reminder.find(1).update { $0.isCompleted = true }.execute($0)
            }
        }
        #expect(seen == [2, 3])
    }
}
