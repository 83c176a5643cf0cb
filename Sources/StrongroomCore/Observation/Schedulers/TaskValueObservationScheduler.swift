/// Has values arrive in tasks, on the threads that all tasks share.
public struct TaskValueObservationScheduler: ValueObservationScheduler, LateScheduler {
    private let priority: TaskPriority?

    /// Has values arrive in tasks of a priority; that of the current task if nil.
    public init(priority: TaskPriority? = nil) {
        self.priority = priority
    }

    public func immediateInitialValue() -> Bool { false }

    public func schedule(_ action: @escaping @Sendable () -> Void) {
        Task(priority: priority) { action() }
    }
}

extension TaskValueObservationScheduler: Hashable {
    /// Hashes the priority.
    public func hash(into hasher: inout Hasher) { hasher.combine(priority?.rawValue) }
}

extension ValueObservationScheduler where Self == TaskValueObservationScheduler {
    /// Has values arrive in tasks, on the threads that all tasks share.
    public static var task: Self { TaskValueObservationScheduler() }

    /// Has values arrive in tasks of a priority.
    public static func task(priority: TaskPriority) -> Self {
        TaskValueObservationScheduler(priority: priority)
    }
}
