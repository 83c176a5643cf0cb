/// What carries objects to a hub and back: bytes under names, and nothing that understands them.
///
/// A hub need not be trusted: whatever it returns is verified. An object is written once, except for the heads of
/// devices. Names, and how large objects are, is in ``HubObject``. A transport is used by several tasks at the same
/// time. Its methods throw ``HubError``; after ``HubError/Code/unreachable`` the caller does not know whether it was done.
///
/// ```swift
/// struct OneFile: SyncTransport { … }
/// ```
public protocol SyncTransport: Sendable {
    /// What the hub can do.
    ///
    /// - Throws: ``HubError`` if the hub cannot be reached.
    func status() async throws -> HubStatus

    /// Stores an object under a free name: of several that try, one succeeds. It lasts when the call returns.
    ///
    /// - Throws: ``HubError/Code/exists`` if the name is taken, and then nothing has changed.
    func put(_ body: [UInt8], under name: String) async throws

    /// Stores the head of a device in place of the one before; a reader sees either of them.
    ///
    /// - Throws: ``HubError``.
    func replace(_ name: String, with body: [UInt8]) async throws

    /// The object of that name.
    ///
    /// - Throws: ``HubError/Code/notFound`` if there is none.
    func get(_ name: String) async throws -> [UInt8]

    /// The objects with numbers for names, one after the other without a gap.
    ///
    /// A transport that has no faster way need not implement it.
    ///
    /// - Parameters:
    ///   - prefix: What stands before the number, such as `SPACE/log/DEVICE-RUN/`.
    ///   - number: The first number.
    ///   - byteCount: About how many bytes there may be together. The first object is returned whatever its size.
    /// - Returns: Nothing if the first one is not there.
    func get(numbered prefix: String, from number: UInt64, upTo byteCount: Int) async throws
        -> [[UInt8]]

    /// The names that begin with a text, in the order of their bytes.
    ///
    /// What was put before the call is in it, and deleted objects are not.
    ///
    /// - Parameters:
    ///   - prefix: What they begin with.
    ///   - name: The last one that the caller knows; nil for all.
    ///   - limit: How many names at most; a hub may return fewer.
    func list(_ prefix: String, after name: String?, limit: Int) async throws -> HubListing

    /// Deletes an object; one that is not there is deleted already.
    ///
    /// - Throws: ``HubError/Code/refused`` if this user may not delete.
    func delete(_ name: String) async throws

    /// The hub's clock, in milliseconds since 1970; nil if it has none.
    ///
    /// - Throws: ``HubError`` if the hub cannot be reached.
    func clock() async throws -> Int64?

    /// What stands for the objects under some names: it is another one when one was put or replaced.
    ///
    /// A transport that has nothing of the kind need not implement it: then what is put between a fetch and a wait
    /// may be noticed at the end of the wait only.
    ///
    /// - Parameter prefixes: With what the names begin.
    /// - Throws: ``HubError`` if the hub cannot be reached.
    func mark(of prefixes: [String]) async throws -> HubMark?

    /// Waits until there may be something new, or until the time is over.
    ///
    /// It may return too early, and a hub that notices nothing waits for the whole time. It throws
    /// `CancellationError` soon after its task was cancelled.
    ///
    /// - Parameters:
    ///   - prefixes: With what the names begin that the caller would like to hear of.
    ///   - mark: What was put since the same prefixes had it counts as new, too; nil for what is put from now on.
    ///   - limit: The longest time to wait.
    /// - Returns: Whether something was noticed.
    func wait(for prefixes: [String], since mark: HubMark?, atMost limit: Duration) async throws
        -> Bool
}

/// See ``SyncTransport/mark(of:)``.
public struct HubMark: Sendable, Hashable {
    /// What the transport tells by whether it is the same.
    public let text: String

    /// Creates a mark.
    public init(_ text: String) {
        self.text = text
    }
}

/// What a hub can do.
public struct HubStatus: Sendable, Hashable {
    /// Whether it stores an object only if the name is free. A hub that cannot is used with more care.
    public var putsIfAbsent: Bool
    /// Whether this user may delete objects, as far as it is known.
    public var deletes: Bool
    /// Whether it has a clock.
    public var hasClock: Bool
    /// How many bytes it has room for; nil if that is not known.
    public var availableByteCount: Int64?

    /// Creates a status.
    public init(
        putsIfAbsent: Bool = true, deletes: Bool = true, hasClock: Bool = true,
        availableByteCount: Int64? = nil
    ) {
        self.putsIfAbsent = putsIfAbsent
        self.deletes = deletes
        self.hasClock = hasClock
        self.availableByteCount = availableByteCount
    }
}

/// Some of the names in a hub.
public struct HubListing: Sendable, Hashable {
    /// In the order of their bytes.
    public var names: [String]
    /// Whether there may be more after the last one.
    public var hasMore: Bool

    /// Creates a listing.
    public init(names: [String], hasMore: Bool) {
        self.names = names
        self.hasMore = hasMore
    }
}

extension SyncTransport {
    /// There is no mark.
    public func mark(of prefixes: [String]) async throws -> HubMark? { nil }

    /// Waits for what is put from now on.
    public func wait(for prefixes: [String], atMost limit: Duration) async throws -> Bool {
        try await wait(for: prefixes, since: nil, atMost: limit)
    }

    /// Gets one object after the other.
    public func get(
        numbered prefix: String, from number: UInt64, upTo byteCount: Int
    ) async throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        var sum = 0
        var number = number
        while bodies.isEmpty || sum < byteCount, number <= HubName.largestNumber {
            do {
                let body = try await get(prefix + HubName.text(number))
                sum += body.count
                bodies.append(body)
            } catch let error as HubError where error.code == .notFound {
                break
            }
            number += 1
        }
        return bodies
    }

    /// Waits for the whole time.
    public func wait(
        for prefixes: [String], since mark: HubMark?, atMost limit: Duration
    ) async throws -> Bool {
        try await Task.sleep(for: limit)
        return false
    }
}

/// What became of an object that a caller wants to have in a hub.
package enum PutOutcome: Sendable, Hashable {
    /// It is there. Perhaps an earlier call has put it there whose answer was lost.
    case stored
    /// Another object has the name.
    case taken(by: [UInt8])
}

extension SyncTransport {
    /// Stores an object; if the name is taken, finds out by what.
    package func putOnce(_ body: [UInt8], under name: String) async throws -> PutOutcome {
        do {
            try await put(body, under: name)
            return .stored
        } catch let error as HubError where error.code == .exists {
            let other = try await get(name)
            return other == body ? .stored : .taken(by: other)
        }
    }

    /// All names that begin with a text.
    ///
    /// A hub that returns the same name again would be asked forever: it is refused.
    package func names(_ prefix: String) async throws -> [String] {
        var names: [String] = []
        while true {
            let page = try await list(prefix, after: names.last, limit: 1000)
            for name in page.names {
                guard names.last.map({ $0 < name }) ?? true, name.hasPrefix(prefix) else {
                    throw HubError(
                        .damaged, prefix, "the hub lists names in a wrong order under \(prefix)")
                }
                names.append(name)
            }
            if !page.hasMore || page.names.isEmpty { return names }
        }
    }
}
