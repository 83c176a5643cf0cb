import Strongroom

extension Workload {
    /// A workload that runs inside of one access to the connection, on both sides.
    static func inDatabase(
        _ name: String,
        aim: Aim? = nil,
        operations: Int,
        prepare: @escaping (Database) throws -> Void = { _ in },
        inspect: @escaping (Database) throws -> UInt64 = { _ in 0 },
        library: @escaping (Database) throws -> Outcome,
        c: @escaping (OpaquePointer) throws -> Outcome
    ) -> Workload {
        Workload(
            name: name,
            aim: aim,
            operations: operations,
            prepare: { try $0.queue.inDatabase(prepare) },
            inspect: inspect,
            library: { try $0.queue.inDatabase(library) },
            c: { try $0.withConnection(c) })
    }
}
