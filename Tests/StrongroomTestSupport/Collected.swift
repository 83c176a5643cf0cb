/// Texts that callbacks of any thread give, in their order.
public final class Collected: Sendable {
    private let storage = Locked<[String]>([])

    public init() {}

    public var texts: [String] { storage.withLock { $0 } }

    public func add(_ text: String) {
        storage.withLock { $0.append(text) }
    }
}
