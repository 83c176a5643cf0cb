import Foundation
import Strongroom

// What observers of transactions hear.

func connectionSnippets4(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("an observer of every event") {
        let log = EventList()
        pool.add(transactionObserver: log, extent: .databaseLifetime)
        try pool.write { db in
            try db.execute(sql: "INSERT INTO note(id, text) VALUES (1, 'a')")
            try db.inSavepoint {
                try db.execute(sql: "UPDATE note SET text = 'b'")
                return .rollback
            }
            try db.execute(sql: "DELETE FROM note WHERE id = 1")
        }
        try expect(log.events == ["main.note insert 1", "main.note delete 1", "commit"])
        try expectError(EventList.Refused.self) {
            try pool.write { db in
                log.refuses = true
                try db.execute(sql: "INSERT INTO note(id) VALUES (2)")
            }
        }
        try expect(log.events.suffix(2) == ["main.note insert 2", "rollback"])
        pool.remove(transactionObserver: log)
    }
    try snippet("values before and after a change") {
        guard DatabasePreUpdateEvent.isAvailable else { return }
        let log = ValueLog()
        pool.add(transactionObserver: log)
        try pool.write { db in
            try db.execute(sql: "INSERT INTO note(id, text) VALUES (1, 'a')")
            try db.execute(sql: "UPDATE note SET text = 'b'")
            try db.execute(sql: "DELETE FROM note")
        }
        try expect(log.lines == ["- > 1,\"a\"", "1,\"a\" > 1,\"b\"", "1,\"b\" > -"])
    }
    try snippet("DatabaseEventKind and DatabaseRegion") {
        let region = try pool.read { try Book.select(title).databaseRegion($0) }
        try expect(region.isModified(byEventsOfKind: .insert(tableName: "book")))
        try expect(
            region.isModified(
                byEventsOfKind: .update(tableName: "book", columnNames: ["title", "id"])))
        try expect(
            !region.isModified(byEventsOfKind: .update(tableName: "book", columnNames: ["price"])))
        try expect(!region.isModified(byEventsOfKind: .delete(tableName: "author")))
        try expect(DatabaseRegion().isEmpty && DatabaseRegion.fullDatabase.isFullDatabase)
        let both = try pool.read { try region.union(Author.all().databaseRegion($0)) }
        try expect(both.description == "author(country,id,name),book(title)")
    }
}

/// What an observer of all tables hears.
final class EventList: TransactionObserver {
    struct Refused: Error {}
    var events: [String] = []
    var refuses = false

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {
        events.append("\(event.databaseName).\(event.tableName) \(event.kind) \(event.rowID)")
    }
    func databaseWillCommit() throws { if refuses { throw Refused() } }
    func databaseDidCommit(_ db: Database) { events.append("commit") }
    func databaseDidRollback(_ db: Database) { events.append("rollback") }
}

/// What rows held before changes and hold after them.
final class ValueLog: TransactionObserver {
    var lines: [String] = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseWillChange(with event: DatabasePreUpdateEvent) {
        func text(_ values: [DatabaseValue]?) -> String {
            values.map { $0.map(\.description).joined(separator: ",") } ?? "-"
        }
        lines.append("\(text(event.initialDatabaseValues)) > \(text(event.finalDatabaseValues))")
    }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
}

/// The values before and after a change, one by one.
final class PreUpdateLog: TransactionObserver {
    var lines: [String] = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        eventKind.tableName == "note"
    }
    func databaseWillChange(with event: DatabasePreUpdateEvent) {
        let copy = event.copy()
        let before = copy.initialDatabaseValue(atIndex: 1).map(\.description) ?? "-"
        let after = copy.finalDatabaseValue(atIndex: 1).map(\.description) ?? "-"
        lines.append("\(copy.kind) \(before) \(after) \(copy.count) \(copy.depth)")
    }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
}
