public import StrongroomTablesRuntime
public import Testing

/// Gives each test a default database of its own.
///
///     @Suite(.defaultDatabase { try makeDatabase() })
///     struct Inboxes {
///         @DefaultDatabase var database
///         …
///     }
public struct DefaultDatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    let make: @Sendable () async throws -> any DatabaseWriter

    /// Each test in the suite has its own.
    public var isRecursive: Bool { true }

    /// Opens a database, and runs the test with it as the default.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let database = try await make()
        try await withDefaultDatabase(database) { try await function() }
    }
}

extension Trait where Self == DefaultDatabaseTrait {
    /// Gives each test a default database of its own: each case of it, also in parallel.
    ///
    /// - Parameter make: Opens a new database, and brings its schema up to date.
    public static func defaultDatabase(
        _ make: @escaping @Sendable () async throws -> any DatabaseWriter
    ) -> Self {
        DefaultDatabaseTrait(make: make)
    }
}
