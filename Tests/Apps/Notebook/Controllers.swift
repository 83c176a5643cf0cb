import Foundation
import Strongroom

/// Stands in for UIViewController.
@MainActor
class ViewController {
    private(set) var isViewLoaded = false

    /// Told by the app when what is shown has changed.
    var didReload: (() -> Void)?

    init() {}

    func loadViewIfNeeded() {
        if isViewLoaded { return }
        isViewLoaded = true
        viewDidLoad()
    }

    func viewDidLoad() {}

    func present(_ error: Error) {
        print("Alert: \(error.localizedDescription)")
    }
}

class NotebookListViewController: ViewController {
    private(set) var notebooks: [NotebookInfo] = []
    private var cancellable: DatabaseCancellable?

    override func viewDidLoad() {
        super.viewDidLoad()
        let observation = ValueObservation.tracking(NotebookInfo.all.fetchAll)
        cancellable = observation.start(
            in: dbQueue,
            scheduling: .immediate,
            onError: { [weak self] error in
                self?.present(error)
            },
            onChange: { [weak self] notebooks in
                self?.notebooks = notebooks
                self?.didReload?()
            })
    }

    func addNotebook(named name: String, color: Color) {
        do {
            try dbQueue.write { db in
                try Notebook(name: name, color: color).insert(db)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            lastRefusal = error.message
        } catch {
            present(error)
        }
    }

    private(set) var lastRefusal: String?

    func deleteNotebook(at index: Int) throws {
        let id = notebooks[index].id
        _ = try dbQueue.write { db in
            try Notebook.deleteOne(db, key: id)
        }
    }
}

class NoteListViewController: ViewController {
    private let notebookId: Int64
    private(set) var titles: [String] = []
    private(set) var badge = ""
    private var titlesObserver: DatabaseCancellable?
    private var badgeObserver: DatabaseCancellable?

    init(notebookId: Int64) {
        self.notebookId = notebookId
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()

        let request =
            Note
            .filter(Column("notebookId") == notebookId)
            .order(Column("pinned").desc, Column("title").collating(titleCollation))
            .select(Column("title"), as: String.self)
        titlesObserver =
            ValueObservation
            .tracking { db in try request.fetchAll(db) }
            .removeDuplicates()
            .start(in: dbQueue, onError: { [weak self] in self?.present($0) }) {
                [weak self] titles in
                guard let self = self else { return }
                self.titles = titles
                self.didReload?()
            }

        badgeObserver =
            ValueObservation
            .tracking(Note.pinned().fetchCount)
            .map { count in count == 0 ? "" : "\(count)" }
            .start(
                in: dbQueue,
                scheduling: .async(onQueue: .main),
                onError: { error in print(error) },
                onChange: { [weak self] badge in
                    MainActor.assumeIsolated {
                        self?.badge = badge
                        self?.didReload?()
                    }
                })
    }

    func stop() {
        titlesObserver?.cancel()
        badgeObserver = nil
    }
}

/// Edits one note. Not a controller, and not thread-safe.
class NoteEditor {
    let note: Note
    private(set) var savedColumns: [String] = []

    init(note: Note) {
        self.note = note
    }

    convenience init?(noteId: Int64) throws {
        guard let note = try dbQueue.read({ db in try Note.fetchOne(db, key: noteId) }) else {
            return nil
        }
        self.init(note: note)
    }

    var needsSaving: Bool {
        return note.hasDatabaseChanges
    }

    func save() throws {
        guard needsSaving else { return }
        try dbQueue.inTransaction { db in
            savedColumns = try note.databaseChanges.keys.sorted()
            try note.save(db)
            return .commit
        }
    }

    func discard() throws {
        guard let id = note.id else { return }
        try dbQueue.inDatabase { db in
            if let row = try Row.fetchOne(
                db, sql: "SELECT title, body FROM notes WHERE id = ?", arguments: [id])
            {
                note.title = row[0]
                note.body = row[1]
            }
        }
    }
}

/// Counts what is changed in notes, and refuses transactions with too much of it.
class NoteWatcher: TransactionObserver {
    private(set) var inserted: [Int64] = []
    private(set) var deletions = 0
    private(set) var commits = 0
    private(set) var rollbacks = 0
    private var pending = 0
    let limit: Int

    struct TooManyChanges: Error {}

    init(limit: Int) {
        self.limit = limit
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        switch eventKind {
        case .insert(let tableName), .delete(let tableName):
            return tableName == "notes"
        case .update(let tableName, let columnNames):
            return tableName == "notes" && columnNames.contains("body")
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        pending += 1
        switch event.kind {
        case .insert: inserted.append(event.rowID)
        case .delete: deletions += 1
        case .update: break
        }
    }

    func databaseWillCommit() throws {
        if pending > limit { throw TooManyChanges() }
    }

    func databaseDidCommit(_ db: Database) {
        if pending > 0 { commits += 1 }
        pending = 0
    }

    func databaseDidRollback(_ db: Database) {
        rollbacks += 1
        pending = 0
    }
}
