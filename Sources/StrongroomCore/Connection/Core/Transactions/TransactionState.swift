internal import StrongroomEssentials

/// What a connection knows of its transaction beyond what SQLite tells.
struct TransactionState {
    /// What the closures that are running inside wrappers (`inTransaction`, `inSavepoint`) rely on.
    var reliance = Reliance.none

    /// A statement of the open transaction may have changed the database.
    var hasUncommittedChanges = false

    /// Whether a transaction was open when the latest statement started.
    var wasOpen = false

    /// What the open transaction may have written; nil when nobody wants to know, or it is unknown.
    var written: Set<DatabaseEventKind>?

    /// The date of the open transaction, once somebody has asked for it.
    var date: Date?

    /// The commit that was the latest when the open reading transaction began, where snapshots have
    /// to be made without SQLite's functions for them.
    var mark: LogMark?

    /// The origin of what is written now. It is that of the table in the file.
    var origin: String?

    /// The transaction of the wrappers, as long as the closure of one is running.
    ///
    /// Invariants:
    /// 1. It is `none` unless such a closure is running, or the connection holds a snapshot.
    /// 2. Once the transaction has ended before its time, whoever ended it, no statement starts
    ///    before the closure of the outermost wrapper has ended: what it wrote would stay.
    enum Reliance {
        /// Nobody relies on a transaction.
        case none
        /// The transaction must stay open.
        case open
        /// It was rolled back: by SQLite, by a suspension, or by the closure.
        case rolledBack
        /// The closure has committed it.
        case committed
    }
}
