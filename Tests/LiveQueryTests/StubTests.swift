import Foundation
import StrongroomTestSupport
import Testing

/// The parts for SwiftUI and Combine, which exist on no system that runs the tests: the compiler sees
/// them with stubs that declare what they call. They never ran.
@Suite("Parts for Apple's systems")
struct StubTests {
    private static let stubs = [
        "SwiftUI": """
        public protocol DynamicProperty { mutating func update() }
        extension DynamicProperty { public mutating func update() {} }
        @propertyWrapper public struct State<Value>: DynamicProperty {
            public init(initialValue: Value) { wrappedValue = initialValue }
            public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
            public var wrappedValue: Value
        }
        extension State: Sendable where Value: Sendable {}
        public struct Animation: Hashable, Sendable { public static var `default`: Self { .init() } }
        public func withAnimation<Result>(
            _ animation: Animation?, _ body: () throws -> Result
        ) rethrows -> Result { try body() }
        @MainActor public protocol View { associatedtype Body; var body: Body { get } }
        """,
        "Combine": """
        public enum Subscribers { public enum Completion<Failure: Error> { case finished } }
        public protocol Subscriber<Input, Failure> {
            associatedtype Input
            associatedtype Failure: Error
        }
        public protocol Publisher<Output, Failure> {
            associatedtype Output
            associatedtype Failure: Error
            func receive<S: Subscriber>(subscriber: S)
            where S.Input == Output, S.Failure == Failure
        }
        public struct AnyPublisher<Output, Failure: Error>: Publisher {
            public func receive<S: Subscriber>(subscriber: S)
            where S.Input == Output, S.Failure == Failure {}
        }
        public final class PassthroughSubject<Output, Failure: Error>: Publisher {
            public init() {}
            public func send(_ value: Output) {}
            public func send(completion: Subscribers.Completion<Failure>) {}
            public func receive<S: Subscriber>(subscriber: S)
            where S.Input == Output, S.Failure == Failure {}
        }
        extension Publisher {
            public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { .init() }
            public func handleEvents(
                receiveCancel: (() -> Void)? = nil
            ) -> AnyPublisher<Output, Failure> { .init() }
        }
        """,
    ]

    private static let client = """
        import Combine
        import StrongroomCore
        import SwiftUI

        struct Total: FetchKeyRequest {
            func fetch(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT 1") ?? 0 }
        }

        struct TotalView: View {
            @Fetch(Total(), animation: .default) var total = 0
            @Fetch(Total(), scheduler: .animation(.default)) var other = 0
            var body: Int { total + other }
            func reload() async throws { try await $total.load(Total(), animation: .default) }
            var totals: AnyPublisher<Int, Never> { $total.publisher }
            func takes(_: some DynamicProperty) -> Bool { true }
            func isDynamic() -> Bool { takes(_total) }
        }

        """

    private func typecheck() throws -> Subprocess.Result {
        let folder = try TemporaryDirectory()
        for (name, source) in Self.stubs {
            let file = try folder.write(source, to: "\(name).swift")
            let result = try Subprocess.run(
                "swiftc",
                [
                    "-emit-module", "-module-name", name, "-parse-as-library", file,
                    "-emit-module-path", folder.path(of: "\(name).swiftmodule"),
                ], timeout: .seconds(300))
            try #require(result.isSuccess, "\(result.errorText)")
        }
        let sources = PackageFiles.path(of: "Sources/StrongroomTablesRuntime")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
            .filter { $0.hasSuffix(".swift") }.map { "\(sources)/\($0)" }
        // Of the others, which the build has compiled, only the declarations are looked at.
        let concerned = try files.filter {
            try String(contentsOfFile: $0, encoding: .utf8)
                .contains(/canImport\((SwiftUI|Combine)\)/)
        }
        try #require(!concerned.isEmpty)
        let client = try folder.write(Self.client, to: "Client.swift")
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        return try Subprocess.run(
            "swiftc",
            [
                "-frontend", "-typecheck", "-parse-as-library",
                "-module-name", "StrongroomTablesRuntime",
                "-swift-version", "6", "-package-name", "main", "-warnings-as-errors",
                "-I", folder.path, "-I", "\(PackageFiles.builtProducts)/Modules",
            ] + features.flatMap { ["-enable-upcoming-feature", $0] }
                + ClientSource.moduleArguments()
                + (concerned + [client]).flatMap { ["-primary-file", $0] }
                + files.filter { !concerned.contains($0) }, timeout: .seconds(300))
    }

    @Test(
        "Code for SwiftUI and Combine compiles against stubs of both", .proves("OBV-019", "OBV-021")
    )
    func compiles() throws {
        let result = try typecheck()
        #expect(result.isSuccess, "\(result.errorText.suffix(4000))")
    }
}
