internal import CSQLCipher

/// SQL aggregate functions that are Swift objects: one for each group of rows.
///
/// SQLite calls `finish` exactly once for each group that had a row, also when the statement fails
/// or is interrupted in its middle: that is where the group's object is let go.
/// <https://www.sqlite.org/c3ref/aggregate_context.html>
// Safety: SQLite holds the maker until it calls `release`, and calls with contexts of its own.
package enum CustomAggregate {
    /// What an aggregate knows of one group of rows.
    package protocol Group: AnyObject {
        func step(_ arguments: FunctionArguments, _ result: borrowing FunctionResult)
        func finish(_ result: borrowing FunctionResult)
    }

    /// A group that is the frame of a window: rows leave it, too.
    package protocol Frame: Group {
        func inverse(_ arguments: FunctionArguments, _ result: borrowing FunctionResult)
        func value(_ result: borrowing FunctionResult)
    }

    package static func add(
        _ connection: BorrowedConnection, _ signature: CustomFunction.Signature,
        _ makeGroup: @escaping @Sendable () -> any Group
    ) throws(DatabaseError) {
        let code = unsafe sqlite3_create_function_v2(
            connection.pointer, signature.name, signature.argumentCount, signature.flags,
            Unmanaged.passRetained(GroupMaker(makeGroup)).toOpaque(), nil,
            unsafe GroupCalls.step, unsafe GroupCalls.finish, unsafe GroupMaker.release)
        guard code == SQLITE_OK else { throw connection.lastError }
    }

    /// Adds an aggregate that is a window function, too.
    package static func addWindow(
        _ connection: BorrowedConnection, _ signature: CustomFunction.Signature,
        _ makeFrame: @escaping @Sendable () -> any Frame
    ) throws(DatabaseError) {
        let code = unsafe sqlite3_create_window_function(
            connection.pointer, signature.name, signature.argumentCount, signature.flags,
            Unmanaged.passRetained(GroupMaker(makeFrame)).toOpaque(),
            unsafe GroupCalls.step, unsafe GroupCalls.finish, unsafe GroupCalls.value,
            unsafe GroupCalls.inverse, unsafe GroupMaker.release)
        guard code == SQLITE_OK else { throw connection.lastError }
    }
}

/// What SQLite calls, with a context of its own.
// Safety: the context and the values are good during the call.
private enum GroupCalls {
    typealias WithRow =
        @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    typealias WithoutRow = @convention(c) (OpaquePointer?) -> Void

    static let step: WithRow = { context, count, values in
        guard let context = unsafe context else { return }
        guard let group = unsafe GroupSlot(context, isNewAllowed: true)?.group(context) else {
            return unsafe sqlite3_result_error_nomem(context)
        }
        unsafe group.step(
            FunctionArguments(count: count, values: values), FunctionResult(context: context))
    }

    static let finish: WithoutRow = { context in
        guard let context = unsafe context else { return }
        let group =
            unsafe GroupSlot(context, isNewAllowed: false)?.takeGroup()
            ?? GroupMaker.of(context)?.make()
        unsafe group?.finish(FunctionResult(context: context))
    }

    static let value: WithoutRow = { context in
        guard let context = unsafe context else { return }
        let group =
            unsafe GroupSlot(context, isNewAllowed: false)?.group(context)
            ?? GroupMaker.of(context)?.make()
        let frame = group as? any CustomAggregate.Frame
        unsafe frame?.value(FunctionResult(context: context))
    }

    static let inverse: WithRow = { context, count, values in
        guard let context = unsafe context else { return }
        let group = unsafe GroupSlot(context, isNewAllowed: false)?.group(context)
        let frame = group as? any CustomAggregate.Frame
        unsafe frame?.inverse(
            FunctionArguments(count: count, values: values), FunctionResult(context: context))
    }
}

/// What SQLite keeps for an aggregate function.
// Safety: the user data of these functions is always a maker that was retained for it.
private final class GroupMaker {
    let make: @Sendable () -> any CustomAggregate.Group

    init(_ make: @escaping @Sendable () -> any CustomAggregate.Group) {
        self.make = make
    }

    static func of(_ context: OpaquePointer) -> GroupMaker? {
        unsafe sqlite3_user_data(context).map {
            unsafe Unmanaged<GroupMaker>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { maker in
        guard let maker = unsafe maker else { return }
        unsafe Unmanaged<GroupMaker>.fromOpaque(maker).release()
    }
}

/// The few bytes that SQLite keeps for a group, zero at first: they hold a reference to its object.
// Safety: SQLite zeroes the room for a group's object, and the object is let go where SQLite ends
// it.
@safe private struct GroupSlot {
    private let reference: UnsafeMutablePointer<Unmanaged<GroupOwner>?>

    private final class GroupOwner {
        let group: any CustomAggregate.Group

        init(_ group: any CustomAggregate.Group) {
            self.group = group
        }
    }

    /// - Returns: nil when there is none yet and none may be made, or no memory for it.
    init?(_ context: OpaquePointer, isNewAllowed: Bool) {
        let size = unsafe isNewAllowed ? CInt(MemoryLayout<Unmanaged<GroupOwner>?>.size) : 0
        guard let memory = unsafe sqlite3_aggregate_context(context, size) else { return nil }
        unsafe reference = memory.assumingMemoryBound(to: Unmanaged<GroupOwner>?.self)
    }

    func group(_ context: OpaquePointer) -> (any CustomAggregate.Group)? {
        if let owner = unsafe reference.pointee { return unsafe owner.takeUnretainedValue().group }
        guard let group = unsafe GroupMaker.of(context)?.make() else { return nil }
        unsafe reference.pointee = Unmanaged.passRetained(GroupOwner(group))
        return group
    }

    func takeGroup() -> (any CustomAggregate.Group)? {
        defer { unsafe reference.pointee = nil }
        return unsafe reference.pointee?.takeRetainedValue().group
    }
}
