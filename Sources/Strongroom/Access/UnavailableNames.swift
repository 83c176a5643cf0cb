// Names of older releases of GRDB: the compiler says what to write instead.

extension Configuration {
    @available(
        *, unavailable,
        message: "Write transactions are IMMEDIATE, and read transactions DEFERRED. Give a kind to inTransaction."
    )
    public var defaultTransactionKind: Database.TransactionKind {
        get { fatalError("unavailable") }
        set { fatalError("unavailable \(newValue)") }
    }
}

@available(*, unavailable, message: "Await an async access, or use asyncConcurrentRead.")
public enum DatabaseFuture<Value> {}

extension DatabasePool {
    @available(*, unavailable, renamed: "asyncConcurrentRead")
    public func concurrentRead<T>(_ value: @escaping (Database) throws -> T) -> Never {
        fatalError("unavailable")
    }
}

extension DatabaseWriter {
    @available(
        *, unavailable, message: "Call db.add(function:) in Configuration.prepareDatabase."
    )
    public func add(function: DatabaseFunction) {
        fatalError("unavailable")
    }

    @available(
        *, unavailable, message: "Call db.add(collation:) in Configuration.prepareDatabase."
    )
    public func add(collation: DatabaseCollation) {
        fatalError("unavailable")
    }
}

extension Database {
    @available(*, unavailable, renamed: "makeStatement(sql:)")
    public func makeSelectStatement(sql: String) throws -> Statement {
        fatalError("unavailable")
    }

    @available(*, unavailable, renamed: "makeStatement(sql:)")
    public func makeUpdateStatement(sql: String) throws -> Statement {
        fatalError("unavailable")
    }

    @available(*, unavailable, renamed: "afterNextTransaction(onCommit:)")
    public func afterNextTransactionCommit(_ closure: @escaping (Database) -> Void) {
        fatalError("unavailable")
    }
}
