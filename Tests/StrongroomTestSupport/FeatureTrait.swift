public import Testing

/// Names the lines of `Documentation/Features.md` that a test or a suite proves, and gives it one of
/// the ``TestThreads``.
public struct FeatureTrait: TestTrait, SuiteTrait, TestScoping {
    public let ids: [String]
    let isOnMainActor: Bool

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !isOnMainActor else { return try await function() }
        try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
    }
}

extension Trait where Self == FeatureTrait {
    /// `@Test(.proves("CNF-013", "CNF-014"))`; `Scripts/unproved` reads these names.
    ///
    /// - Parameter onMainActor: Whether the test is isolated to it. With Swift 6.3, a task that prefers
    ///   other threads may miss what the main actor does while it is on its way to wait for that.
    public static func proves(_ ids: String..., onMainActor: Bool = false) -> Self {
        FeatureTrait(ids: ids, isOnMainActor: onMainActor)
    }
}
