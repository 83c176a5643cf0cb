/// A database access in progress on this thread; those that it is nested in lie around it.
///
/// It tells accesses that wait for themselves from those that are nested rightly.
struct AccessFrame {
    private let connection: Unmanaged<SerializedDatabase>
    private let outer: UnsafePointer<AccessFrame>?

    private static let innermost = ThreadLocal<AccessFrame>()

    /// Runs a closure as an access to a connection.
    static func run<T>(_ connection: SerializedDatabase, _ body: () throws -> T) rethrows -> T {
        let outer = innermost.pointer
        let frame = AccessFrame(connection: .passUnretained(connection), outer: outer)
        defer { innermost.set(outer) }
        ProcessEnd.enter()
        defer { ProcessEnd.leave() }
        return try withUnsafePointer(to: frame) { frame in
            innermost.set(frame)
            return try body()
        }
    }

    /// The innermost connection in use on this thread that a condition holds for.
    static func connection(where condition: (SerializedDatabase) -> Bool) -> SerializedDatabase? {
        var frame = innermost.pointer
        while let current = frame {
            let connection = current.pointee.connection.takeUnretainedValue()
            if condition(connection) { return connection }
            frame = current.pointee.outer
        }
        return nil
    }

    /// Whether a connection is in use on this thread.
    static func isUsing(_ connection: SerializedDatabase) -> Bool {
        self.connection { $0 === connection } != nil
    }
}
