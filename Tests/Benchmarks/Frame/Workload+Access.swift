import Strongroom

extension Workload {
    /// A workload that runs inside of one transaction of the library, on both sides.
    static func inTransaction(
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
            prepare: { try $0.queue.write(prepare) },
            inspect: inspect,
            library: { try $0.queue.write(library) },
            c: { database in
                try database.queue.write { db in
                    guard let connection = db.sqliteConnection else { throw CFailure(code: -1) }
                    return try c(connection)
                }
            })
    }

    /// A workload beside the same by a statement of Strongroom that its user keeps.
    static func inTransaction(
        _ name: String,
        aim: Aim? = nil,
        operations: Int,
        prepare: @escaping (Database) throws -> Void = { _ in },
        inspect: @escaping (Database) throws -> UInt64 = { _ in 0 },
        library: @escaping (Database) throws -> Outcome,
        kept: @escaping (Database) throws -> Outcome
    ) -> Workload {
        Workload(
            name: name,
            aim: aim,
            operations: operations,
            prepare: { try $0.queue.write(prepare) },
            inspect: inspect,
            library: { try $0.queue.write(library) },
            c: { try $0.queue.write(kept) })
    }

    /// A workload without a database, and without its like in C.
    static func alone(
        _ name: String, aim microseconds: Double, operations: Int,
        library: @escaping () -> Outcome
    ) -> Workload {
        Workload(
            name: name,
            aim: .microseconds(microseconds),
            operations: operations,
            library: { _ in library() },
            c: { _ in { UInt64(operations) } })
    }
}
