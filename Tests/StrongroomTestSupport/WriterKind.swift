public import Strongroom

/// The objects that write to a database: what holds of one holds of the other.
public enum WriterKind: CaseIterable, Sendable {
    case queue
    case pool
}

extension FixtureDatabase {
    /// Opens the database with an object of that kind.
    public func open(
        _ kind: WriterKind, passphrase: String? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> any DatabaseWriter {
        switch kind {
        case .queue: try open(passphrase: passphrase, change)
        case .pool: try openPool(passphrase: passphrase, change)
        }
    }

    /// Opens the database with a pool.
    public func openPool(
        passphrase: String? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> DatabasePool {
        try DatabasePool(
            path: path, configuration: Self.configuration(passphrase: passphrase ?? key, change))
    }
}
