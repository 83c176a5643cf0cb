internal import CSQLCipher

/// SQL aggregate functions that are Swift objects: one for each group of rows.
///
/// SQLite calls `finish` exactly once for each group that had a row, also when the statement fails
/// or is interrupted in its middle: that is where the group's object is let go.
/// <https://www.sqlite.org/c3ref/aggregate_context.html>
package enum CustomAggregate {
    /// What an aggregate knows of one group of rows.
    package protocol Group: AnyObject {
        func step(_ arguments: FunctionArguments, _ result: borrowing FunctionResult)
        func finish(_ result: borrowing FunctionResult)
    }

    package static func add(
        _ connection: BorrowedConnection, _ signature: CustomFunction.Signature,
        _ makeGroup: @escaping @Sendable () -> any Group
    ) throws(DatabaseError) {
        let code = sqlite3_create_function_v2(
            connection.pointer, signature.name, signature.argumentCount, signature.flags,
            Unmanaged.passRetained(GroupMaker(makeGroup)).toOpaque(), nil,
            { context, count, values in
                guard let context else { return }
                guard let group = GroupSlot(context, isNewAllowed: true)?.group(context) else {
                    return sqlite3_result_error_nomem(context)
                }
                group.step(
                    FunctionArguments(count: count, values: values),
                    FunctionResult(context: context))
            },
            { context in
                guard let context else { return }
                let group =
                    GroupSlot(context, isNewAllowed: false)?.takeGroup()
                    ?? GroupMaker.of(context)?.make()
                group?.finish(FunctionResult(context: context))
            }, GroupMaker.release)
        guard code == SQLITE_OK else { throw connection.lastError }
    }
}

/// What SQLite keeps for an aggregate function.
private final class GroupMaker {
    let make: @Sendable () -> any CustomAggregate.Group

    init(_ make: @escaping @Sendable () -> any CustomAggregate.Group) {
        self.make = make
    }

    static func of(_ context: OpaquePointer) -> GroupMaker? {
        sqlite3_user_data(context).map {
            Unmanaged<GroupMaker>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { maker in
        guard let maker else { return }
        Unmanaged<GroupMaker>.fromOpaque(maker).release()
    }
}

/// The few bytes that SQLite keeps for a group, zero at first: they hold a reference to its object.
private struct GroupSlot {
    private let reference: UnsafeMutablePointer<Unmanaged<GroupOwner>?>

    private final class GroupOwner {
        let group: any CustomAggregate.Group

        init(_ group: any CustomAggregate.Group) {
            self.group = group
        }
    }

    /// - Returns: nil when there is none yet and none may be made, or no memory for it.
    init?(_ context: OpaquePointer, isNewAllowed: Bool) {
        let size = isNewAllowed ? CInt(MemoryLayout<Unmanaged<GroupOwner>?>.size) : 0
        guard let memory = sqlite3_aggregate_context(context, size) else { return nil }
        reference = memory.assumingMemoryBound(to: Unmanaged<GroupOwner>?.self)
    }

    func group(_ context: OpaquePointer) -> (any CustomAggregate.Group)? {
        if let owner = reference.pointee { return owner.takeUnretainedValue().group }
        guard let group = GroupMaker.of(context)?.make() else { return nil }
        reference.pointee = Unmanaged.passRetained(GroupOwner(group))
        return group
    }

    func takeGroup() -> (any CustomAggregate.Group)? {
        defer { reference.pointee = nil }
        return reference.pointee?.takeRetainedValue().group
    }
}
