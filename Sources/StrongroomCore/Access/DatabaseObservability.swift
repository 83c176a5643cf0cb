/// How the values of a reader can be observed: for `ValueObservation` only.
public struct DatabaseObservability: Sendable {
    package enum Content: Sendable {
        /// Nothing ever changes through the reader.
        case constant(any DatabaseReader)
        /// One connection reads and writes.
        case serialized(any DatabaseWriter)
        /// Others read while one writes, which counts its commits.
        case concurrent(any DatabaseWriter, commits: CommitCount)
    }

    package let content: Content
}

extension DatabaseQueue {
    public var _observability: DatabaseObservability {
        DatabaseObservability(content: configuration.readonly ? .constant(self) : .serialized(self))
    }
}

extension DatabasePool {
    public var _observability: DatabaseObservability {
        DatabaseObservability(
            content: configuration.readonly
                ? .constant(self) : .concurrent(self, commits: writer.commits))
    }
}

extension DatabaseSnapshotReader {
    public var _observability: DatabaseObservability {
        DatabaseObservability(content: .constant(self))
    }
}

extension AnyDatabaseReader {
    public var _observability: DatabaseObservability { base._observability }
}

extension AnyDatabaseWriter {
    public var _observability: DatabaseObservability { base._observability }
}
