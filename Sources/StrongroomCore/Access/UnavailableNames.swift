// Names of older releases of GRDB: the compiler says what to write instead.

extension Configuration {
    /// A name of an older release.
    @available(*, unavailable, message: "Give a kind to inTransaction instead.")
    public var defaultTransactionKind: Database.TransactionKind {
        get { fatalError("unavailable") }
        set { fatalError("unavailable \(newValue)") }
    }
}

extension Configuration {
    /// A name of an older release.
    @available(*, unavailable, message: "Call prepareDatabase { db in … } instead.")
    public var prepareDatabase: ((Database) throws -> Void)? {
        get { fatalError("unavailable") }
        set { fatalError("unavailable \(String(describing: newValue))") }
    }
}

/// A name of an older release.
@available(*, unavailable, message: "Await an async access, or use asyncConcurrentRead.")
public enum DatabaseFuture<Value> {}

extension DatabasePool {
    /// A name of an older release.
    @available(*, unavailable, renamed: "asyncConcurrentRead")
    public func concurrentRead<T>(_ value: @escaping (Database) throws -> T) -> Never {
        fatalError("unavailable")
    }
}

extension DatabaseWriter {
    /// A name of an older release.
    @available(*, unavailable, message: "Call db.add(function:) in prepareDatabase.")
    public func add(function: DatabaseFunction) {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, message: "Call db.add(collation:) in prepareDatabase.")
    public func add(collation: DatabaseCollation) {
        fatalError("unavailable")
    }
}

extension Database {
    /// A name of an older release.
    @available(*, unavailable, renamed: "makeStatement(sql:)")
    public func makeSelectStatement(sql: String) throws -> Statement {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, renamed: "makeStatement(sql:)")
    public func makeUpdateStatement(sql: String) throws -> Statement {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, renamed: "afterNextTransaction(onCommit:)")
    public func afterNextTransactionCommit(_ closure: @escaping (Database) -> Void) {
        fatalError("unavailable")
    }
}
