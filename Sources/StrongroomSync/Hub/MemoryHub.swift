internal import Synchronization

/// An engine, as a hub in memory knows it.
protocol HubMember: AnyObject, Sendable {
    /// Exchanges; whether anything came or went.
    func exchange() async throws -> Bool
}

/// A hub in the memory of this process, for tests, previews and several engines in one program.
///
/// ```swift
/// let hub = MemoryHub()
/// ```
public final class MemoryHub: SyncTransport {
    /// What the objects and those who wait depend on; a lock holds it.
    private struct State {
        var objects: [String: [UInt8]] = [:]
        /// How many objects had been put or replaced when one was.
        var changes: [String: Int] = [:]
        var changeCount = 0
        var waiters: [Int: Waiter] = [:]
        var timers: [Int: Task<Void, any Error>] = [:]
        var nextWaiter = 0
        var members: [Member] = []
    }

    private struct Member {
        weak var member: (any HubMember)?
    }

    private struct Waiter {
        let prefixes: [String]
        let continuation: CheckedContinuation<Bool, any Error>

        func waits(for name: String) -> Bool { prefixes.contains(where: name.hasPrefix) }
    }

    private let state = Mutex(State())
    private let time: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let plan: (@Sendable (HubCall) async -> HubFault?)?

    /// Creates an empty hub, whose clock is this machine's.
    public convenience init() {
        self.init(time: Self.systemTime, sleep: { try await Task.sleep(for: $0) })
    }

    /// Creates an empty hub.
    ///
    /// - Parameters:
    ///   - time: Its clock, in milliseconds since 1970.
    ///   - sleep: Waits for a time, or throws when its task is cancelled.
    ///   - plan: Is asked before each call what is to go wrong with it; it may also wait.
    package init(
        time: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        plan: (@Sendable (HubCall) async -> HubFault?)? = nil
    ) {
        self.time = time
        self.sleep = sleep
        self.plan = plan
    }

    /// What it holds.
    package var contents: [String: [UInt8]] { state.withLock { $0.objects } }

    /// Puts the hub back to an earlier state, or makes it another one.
    package func restore(_ contents: [String: [UInt8]]) {
        state.withLock { $0.objects = contents }
    }

    // MARK: - Members

    func join(_ member: any HubMember) {
        state.withLock { state in
            state.members.removeAll { $0.member == nil || $0.member === member }
            state.members.append(Member(member: member))
        }
    }

    /// Lets all engines of this process that use the hub exchange until none of them has anything new.
    ///
    /// Tests and previews call it instead of waiting.
    public func settle() async throws {
        var isMoving = true
        while isMoving {
            isMoving = false
            for member in state.withLock({ $0.members.compactMap(\.member) })
            where try await member.exchange() {
                isMoving = true
            }
        }
    }

    // MARK: - Calls

    public func status() async throws -> HubStatus {
        try await perform(HubCall(.status, "")) { _ in HubStatus() }
    }

    public func put(_ body: [UInt8], under name: String) async throws {
        try HubObject.require(name)
        try HubObject.require(body, fits: name)
        try await perform(HubCall(.put, name)) { objects in
            guard objects[name] == nil else { throw HubError.exists(name) }
            objects[name] = body
        }
        wake(name)
    }

    public func replace(_ name: String, with body: [UInt8]) async throws {
        try HubObject.require(name)
        try HubObject.require(body, fits: name)
        guard HubObject.mayBeReplaced(name) else {
            throw HubError(.refused, name, "\(name) is written once")
        }
        try await perform(HubCall(.replace, name)) { $0[name] = body }
        wake(name)
    }

    public func get(_ name: String) async throws -> [UInt8] {
        try HubObject.require(name)
        return try await perform(HubCall(.get, name)) { objects in
            guard let body = objects[name] else { throw HubError.notFound(name) }
            return body
        }
    }

    public func list(
        _ prefix: String, after name: String?, limit: Int
    ) async throws -> HubListing {
        try HubObject.require(prefix, isPrefix: true)
        let call = HubCall(.list, prefix)
        let fault = try await fault(of: call)
        let names = state.withLock { state in
            state.objects.keys.filter { found in
                found.hasPrefix(prefix) && name.map { $0 < found } ?? true
            }
        }.sorted()
        try finish(call, fault)
        if case .partial(let count) = fault, names.count > count {
            return HubListing(names: Array(names.prefix(count)), hasMore: true)
        }
        if fault == .reordered {
            return HubListing(names: names.reversed(), hasMore: false)
        }
        return HubListing(names: Array(names.prefix(limit)), hasMore: names.count > limit)
    }

    public func delete(_ name: String) async throws {
        try HubObject.require(name)
        try await perform(HubCall(.delete, name)) { $0[name] = nil }
    }

    public func clock() async throws -> Int64? {
        try await perform(HubCall(.clock, "")) { _ in time() }
    }

    // MARK: - Faults

    private func fault(of call: HubCall) async throws -> HubFault? {
        let fault = await plan?(call)
        switch fault {
        case .lostRequest: throw Self.cut(call)
        case .error(let code): throw HubError(code, call.name, "the hub was told to fail")
        default: return fault
        }
    }

    private func finish(_ call: HubCall, _ fault: HubFault?) throws {
        if fault == .lostAnswer { throw Self.cut(call) }
    }

    private static func cut(_ call: HubCall) -> HubError {
        HubError(.unreachable, call.name, "the connection was cut")
    }

    private func perform<Result: Sendable>(
        _ call: HubCall, _ body: (inout [String: [UInt8]]) throws -> Result
    ) async throws -> Result {
        let fault = try await fault(of: call)
        // The network repeats a request whose answer it has lost: the caller sees the second answer.
        if fault == .doubled { _ = try? state.withLock { try body(&$0.objects) } }
        let result = Swift.Result { try state.withLock { try body(&$0.objects) } }
        try finish(call, fault)
        return try result.get()
    }
}

// MARK: - Waiting

extension MemoryHub {
    public func mark(of prefixes: [String]) async throws -> HubMark? {
        HubMark("\(state.withLock(\.changeCount))")
    }

    public func wait(
        for prefixes: [String], since mark: HubMark?, atMost limit: Duration
    ) async throws -> Bool {
        for prefix in prefixes { try HubObject.require(prefix, isPrefix: true) }
        let before = mark.flatMap { Int($0.text) } ?? .max
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        defer { state.withLock { $0.timers.removeValue(forKey: number) }?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(prefixes: prefixes, continuation: continuation)
                let isNew = state.withLock { state in
                    state.waiters[number] = waiter
                    return state.changes.contains { $0.value > before && waiter.waits(for: $0.key) }
                }
                if isNew { return answer(number, .success(true)) }
                let timer = Task { [sleep] in
                    try await sleep(limit)
                    answer(number, .success(false))
                }
                state.withLock { $0.timers[number] = timer }
                // It may have been cancelled before there was anyone to answer to.
                if Task.isCancelled { answer(number, .failure(CancellationError())) }
            }
        } onCancel: {
            answer(number, .failure(CancellationError()))
        }
    }

    private func answer(_ number: Int, _ result: Result<Bool, any Error>) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(with: result)
    }

    private func wake(_ name: String) {
        let woken = state.withLock { state in
            state.changeCount += 1
            state.changes[name] = state.changeCount
            return state.waiters.filter { $0.value.waits(for: name) }.map(\.key)
        }
        for number in woken.sorted() { answer(number, .success(true)) }
    }
}
