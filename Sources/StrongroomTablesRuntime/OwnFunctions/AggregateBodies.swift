internal import StrongroomCore

/// How an aggregate function goes from row to row. Macros make it.
///
/// Invariants:
/// 1. All closures run on the thread that runs the statement.
/// 2. Each group of rows has a state of its own, which is let go at its first failure or its end.
public struct AggregateBody<State>: Sendable {
    /// Takes in a row, or out.
    public typealias Step = @Sendable (inout State, inout FunctionDecoder) throws -> Void
    /// Gives the value of the rows that are in.
    public typealias Value = @Sendable (State) throws -> QueryBinding

    let start: @Sendable () -> State
    let step: Step
    let result: Value

    /// Makes the body of an aggregate function.
    ///
    /// - Parameters:
    ///   - start: Makes the state of a group without rows.
    ///   - step: Takes in a row.
    ///   - result: Gives the value at the end.
    public init(
        start: @escaping @Sendable () -> State, step: @escaping Step, result: @escaping Value
    ) {
        self.start = start
        self.step = step
        self.result = result
    }
}

/// How a window function goes from row to row. Macros make it.
public struct WindowBody<State>: Sendable {
    let aggregate: AggregateBody<State>
    let inverse: AggregateBody<State>.Step
    let value: AggregateBody<State>.Value

    /// Makes the body of a window function.
    ///
    /// - Parameters:
    ///   - aggregate: What it does without a window.
    ///   - inverse: Takes out the row that came in first.
    ///   - value: Gives the value of the rows that are in.
    public init(
        _ aggregate: AggregateBody<State>, inverse: @escaping AggregateBody<State>.Step,
        value: @escaping AggregateBody<State>.Value
    ) {
        self.aggregate = aggregate
        self.inverse = inverse
        self.value = value
    }
}

/// Makes an aggregate function of its body. Macros call it.
public func _aggregate<State>(
    _ traits: FunctionTraits, argumentCount: Int, _ body: AggregateBody<State>
) -> DatabaseFunction {
    let name = traits.name
    return DatabaseFunction(
        implementedBy: .aggregate { TypedGroup(name, body) }, traits.traits(argumentCount))
}

/// Makes a window function of its body. Macros call it.
public func _window<State>(
    _ traits: FunctionTraits, argumentCount: Int, _ body: WindowBody<State>
) -> DatabaseFunction {
    let name = traits.name
    return DatabaseFunction(
        implementedBy: .window { TypedFrame(name, body) }, traits.traits(argumentCount))
}

/// One group of rows of an aggregate function.
private class TypedGroup<State>: CustomAggregate.Group {
    private let name: String
    private let body: AggregateBody<State>
    /// nil once a call has failed.
    private var state: State?

    init(_ name: String, _ body: AggregateBody<State>) {
        self.name = name
        self.body = body
        state = body.start()
    }

    final func step(_ arguments: FunctionArguments, _ result: borrowing FunctionResult) {
        move(body.step, arguments, result)
    }

    final func finish(_ result: borrowing FunctionResult) { give(body.result, result) }

    final func move(
        _ step: AggregateBody<State>.Step, _ arguments: FunctionArguments,
        _ result: borrowing FunctionResult
    ) {
        guard state != nil else { return }
        do {
            var decoder = FunctionDecoder(arguments, name)
            // In place: a copy of an array would be made for each row.
            try step(&state!, &decoder)
        } catch {
            state = nil
            result.fail(error)
        }
    }

    final func give(_ value: AggregateBody<State>.Value, _ result: borrowing FunctionResult) {
        guard let state else { return }
        do {
            try result.set(value(state))
        } catch {
            result.fail(error)
        }
    }
}

/// The rows in a window.
private final class TypedFrame<State>: TypedGroup<State>, CustomAggregate.Frame {
    private let frame: WindowBody<State>

    init(_ name: String, _ body: WindowBody<State>) {
        frame = body
        super.init(name, body.aggregate)
    }

    func inverse(_ arguments: FunctionArguments, _ result: borrowing FunctionResult) {
        move(frame.inverse, arguments, result)
    }

    func value(_ result: borrowing FunctionResult) { give(frame.value, result) }
}
