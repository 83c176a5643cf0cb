public import StrongroomEssentials

/// A clock for the date of transactions.
public protocol TransactionClock: Sendable {
    /// The date of the connection's open transaction, or the current date outside a transaction.
    ///
    /// It is called only if `Database.transactionDate` is read, once for each transaction.
    ///
    /// - Throws: What the clock throws; `Database.transactionDate` rethrows it.
    func now(_ db: Database) throws -> Date
}

/// The system's clock.
public struct DefaultTransactionClock: TransactionClock {
    /// The current date.
    ///
    /// - Throws: Nothing.
    public func now(_ db: Database) throws -> Date { Date() }
}

/// A clock that calls a function.
public struct CustomTransactionClock: TransactionClock {
    private let date: @Sendable (Database) throws -> Date

    /// Creates a clock from a function.
    ///
    ///     config.transactionClock = CustomTransactionClock { _ in Date(timeIntervalSince1970: 0) }
    public init(_ date: @escaping @Sendable (Database) throws -> Date) {
        self.date = date
    }

    public func now(_ db: Database) throws -> Date { try date(db) }
}

extension TransactionClock where Self == DefaultTransactionClock {
    /// The system's clock.
    public static var `default`: Self { DefaultTransactionClock() }
}

extension TransactionClock where Self == CustomTransactionClock {
    /// A clock that calls a function.
    ///
    ///     config.transactionClock = .custom { _ in Date(timeIntervalSince1970: 0) }
    public static func custom(_ now: @escaping @Sendable (Database) throws -> Date) -> Self {
        CustomTransactionClock(now)
    }
}

extension Database {
    /// The date of the current transaction: the same throughout, savepoints and reads included.
    ///
    /// Outside a transaction, each call returns a new date. It comes from
    /// `Configuration.transactionClock`.
    ///
    /// - Throws: What the clock throws.
    public var transactionDate: Date {
        get throws {
            guard isInsideTransaction else { return try configuration.transactionClock.now(self) }
            if let date = transactionState.date { return date }
            let date = try configuration.transactionClock.now(self)
            transactionState.date = date
            return date
        }
    }
}
