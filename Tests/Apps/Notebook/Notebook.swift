import Foundation
import Strongroom

/// What the app found to be other than it should be.
struct Wrong: Error {
    var what: String
}

func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw Wrong(what: what()) }
}

/// Uses the app. The thread must not be the main one, on which the controllers work.
func runNotebook(at path: String, passphrase: String) throws {
    try check(!Thread.isMainThread, "called on the main thread")
    try AppDatabase.setup(at: path, passphrase: passphrase)
    let watcher = NoteWatcher(limit: 10)
    dbQueue.add(transactionObserver: watcher)
    let ids = try useNotebookList()
    try useNoteList(of: ids[0])
    try useEditor(notebookId: ids[0], watcher: watcher)
    try useSearch(notebookId: ids[1])
    try useRows()
    try useFunctions()
    try useWatcher(watcher, notebookId: ids[1])
    try AppDatabase.close()
    try reopen(at: path, passphrase: passphrase)
}

private func onMain<T: Sendable>(_ body: @MainActor () throws -> T) rethrows -> T {
    try DispatchQueue.main.sync {
        try MainActor.assumeIsolated { try body() }
    }
}

/// Waits until a controller shows what it should.
private func wait<C: ViewController>(
    for controller: C, _ what: String, until isRight: @escaping @MainActor (C) -> Bool
) throws {
    let shown = DispatchSemaphore(value: 0)
    onMain {
        controller.didReload = { if isRight(controller) { shown.signal() } }
        controller.didReload?()
    }
    let result = shown.wait(timeout: .now() + 30)
    onMain { controller.didReload = nil }
    try check(result == .success, what)
}

private func useNotebookList() throws -> [Int64] {
    let list = onMain { () -> NotebookListViewController in
        let list = NotebookListViewController()
        list.loadViewIfNeeded()
        return list
    }
    try check(onMain { list.notebooks.isEmpty }, "notebooks in a new database")
    onMain {
        list.addNotebook(named: "Work", color: .red)
        list.addNotebook(named: "été", color: .green)
        list.addNotebook(named: "Errands", color: .blue)
        list.addNotebook(named: "ÉTÉ", color: .none)
    }
    try wait(for: list, "three notebooks") { list in
        list.notebooks.map(\.name) == ["Errands", "été", "Work"]
    }
    let refusal = onMain { list.lastRefusal }
    try check(refusal == "UNIQUE constraint failed: notebooks.name", "refusal: \(refusal ?? "")")
    try onMain { try list.deleteNotebook(at: 1) }
    try wait(for: list, "two notebooks") { $0.notebooks.count == 2 }
    return onMain { list.notebooks.map(\.id) }
}

private func useNoteList(of notebookId: Int64) throws {
    let list = onMain { () -> NoteListViewController in
        let list = NoteListViewController(notebookId: notebookId)
        list.loadViewIfNeeded()
        return list
    }
    try dbQueue.write { db in
        for title in ["Zebra food", "apples", "Éclairs"] {
            let note = Note(notebookId: notebookId, title: title, body: "Buy some \(title)")
            note.pinned = title.hasPrefix("Z")
            try note.insert(db)
        }
    }
    try wait(for: list, "titles and badge") { list in
        list.titles == ["Zebra food", "apples", "Éclairs"] && list.badge == "1"
    }
    onMain { list.stop() }
}

private func useEditor(notebookId: Int64, watcher: NoteWatcher) throws {
    let note = Note(notebookId: notebookId, title: "Plans", body: "one two three")
    let editor = NoteEditor(note: note)
    try check(editor.needsSaving, "a new note needs saving")
    try editor.save()
    try check(note.id != nil && note.id == watcher.inserted.last, "the id of the note")
    try check(note.wordCount == 3 && !editor.needsSaving, "a saved note")

    guard let id = note.id, let other = try NoteEditor(noteId: id) else {
        throw Wrong(what: "the note is not there")
    }
    other.note.body = "one two three four"
    try other.save()
    try check(other.savedColumns == ["body"], "saved \(other.savedColumns)")
    try editor.discard()
    try check(note.body == "one two three four", "the text of the other editor")
    try check(try NoteEditor(noteId: -1) == nil, "a note without a row")

    let changed = try dbQueue.write { db -> Bool in
        guard let note = try Note.fetchOne(db, key: ["id": id]) else { return false }
        note.title = "Big plans"
        return try note.updateChanges(db)
    }
    try check(changed, "the title was changed")
    do {
        note.id = 12345
        try dbQueue.write { db in try note.update(db) }
        throw Wrong(what: "updated a missing note")
    } catch RecordError.recordNotFound(let table, let key) {
        try check(table == "notes" && key["id"] == 12345.databaseValue, "the key \(key)")
    }
}

private func useSearch(notebookId: Int64) throws {
    try dbQueue.write { db in
        try Note(notebookId: notebookId, title: "Running", body: "shoes, and a watch").insert(db)
        try Note(notebookId: notebookId, title: "Shoe repair", body: "ask Ann").insert(db)
    }
    let titles = try dbQueue.read { db in try Note.search("shoe", in: db).map { $0.title } }
    try check(Set(titles) == ["Running", "Shoe repair"], "found \(titles)")
    let nothing = try dbQueue.read { db in try Note.search("  ", in: db) }
    try check(nothing.isEmpty, "found by nothing")

    try dbQueue.write { db in
        let note = try Note.filter(Note.Columns.title == "Running").fetchOne(db)
        let deleted = try note?.delete(db) ?? false
        try check(deleted, "the note was deleted")
    }
    let trash = try dbQueue.read { db in try Note.searchTrash("running walking", in: db) }
    try check(trash == ["Running"], "the trash has \(trash)")
    let rest = try dbQueue.read { db in try Note.search("watch", in: db).count }
    try check(rest == 0, "a deleted note is found")
}

private func useRows() throws {
    try dbQueue.read { db in
        var lengths: [String: Int] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "SELECT title, LENGTH(body) AS n FROM notes WHERE id > ?", arguments: [0])
        while let row = try rows.next() {
            lengths[row["title"]] = row["n"]
        }
        let count = try Note.fetchCount(db)
        try check(lengths.count == count, "\(lengths.count) rows of \(count)")

        let statement = try db.makeStatement(sql: "SELECT COUNT(*) FROM notes WHERE pinned = :p")
        let pinned = try Int.fetchOne(statement, arguments: ["p": true])
        try check(pinned == 1, "pinned: \(String(describing: pinned))")

        let adapter = ScopeAdapter(["book": SuffixRowAdapter(fromIndex: 1)])
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT notes.title, notebooks.* FROM notes, notebooks
                WHERE notebooks.id = notes.notebookId ORDER BY notes.id LIMIT 1
                """,
            adapter: adapter)
        let name: String? = row?.scopes["book"]?["name"]
        try check(name == "Errands", "the scope has \(name ?? "nothing")")
        try check(row?.hasColumn("TITLE") == true, "names of columns have no case")
        let color: Color? = row?["color"]
        try check(color == .blue, "the color")
    }
}

private func useFunctions() throws {
    try dbQueue.read { db in
        let slug = try String.fetchOne(db, sql: "SELECT slug('Hello, big World')")
        try check(slug == "hello-big-world", "slug")
        let slugs = try String.fetchAll(
            db, Note.select(slugFunction(Column("title"))).order(Column("title")))
        try check(slugs.contains("big-plans"), "slugs: \(slugs)")
        let initials = try String.fetchOne(
            db, sql: "SELECT initials(title) FROM (SELECT title FROM notes ORDER BY title)")
        try check(initials == "aBÉSZ", "initials: \(initials ?? "")")
        let longest = try Int.fetchOne(db, Note.select(max(Note.Columns.wordCount)))
        try check(longest == 4, "the longest note")
        let average = try Double.fetchOne(db, Note.select(average(Note.Columns.wordCount)))
        try check((average ?? 0) > 2, "the average")
    }
}

private func useWatcher(_ watcher: NoteWatcher, notebookId: Int64) throws {
    let before = (watcher.inserted.count, watcher.commits, watcher.rollbacks)
    do {
        try dbQueue.write { db in
            for number in 1...11 {
                try Note(notebookId: notebookId, title: "Note \(number)").insert(db)
            }
        }
        throw Wrong(what: "the watcher let it pass")
    } catch is NoteWatcher.TooManyChanges {}
    try check(watcher.inserted.count == before.0 + 11, "the watcher saw the rows")
    try check(watcher.rollbacks == before.2 + 1, "the watcher saw the rollback")
    try dbQueue.writeWithoutTransaction { db in
        try db.inTransaction {
            try Note(notebookId: notebookId, title: "Kept").insert(db)
            try db.inSavepoint {
                try Note(notebookId: notebookId, title: "Dropped").insert(db)
                return .rollback
            }
            return .commit
        }
    }
    try check(watcher.inserted.count == before.0 + 12, "one row was kept")
    try check(watcher.commits == before.1 + 1, "one commit")
    dbQueue.remove(transactionObserver: watcher)
    let deleted = try dbQueue.write { db in
        try Note.filter(Column("title") == "Kept").deleteAll(db)
    }
    try check(deleted == 1 && watcher.deletions == 1, "deleted behind the watcher's back")
}

private func reopen(at path: String, passphrase: String) throws {
    do {
        try AppDatabase.setup(at: path, passphrase: passphrase + "?")
        throw Wrong(what: "opened with another passphrase")
    } catch let error as DatabaseError {
        try check(error.resultCode == .SQLITE_NOTADB, "\(error.resultCode)")
    }
    try AppDatabase.setup(at: path, passphrase: passphrase)
    let done = try dbQueue.read { db in try AppDatabase.migrator.completedMigrations(db) }
    try check(done.count == 5 && done.last == "v1.4 names", "migrations: \(done)")
    try AppDatabase.close()
}
