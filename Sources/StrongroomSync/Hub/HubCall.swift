internal import StrongroomEssentials

/// A call to a hub, for whoever decides what is to go wrong.
package struct HubCall: Sendable, Hashable {
    package enum Verb: String, Sendable, CaseIterable {
        case status, put, replace, get, list, delete, clock
    }

    package let verb: Verb
    /// The name or the prefix; empty for calls without one.
    package let name: String

    init(_ verb: Verb, _ name: String) {
        self.verb = verb
        self.name = name
    }
}

/// What goes wrong with one call to a ``MemoryHub``.
package enum HubFault: Sendable, Hashable {
    /// The hub hears nothing; the caller hears that there is no connection.
    case lostRequest
    /// The hub does it; the caller hears that there is no connection.
    case lostAnswer
    /// The hub does it twice; the caller hears the second answer.
    case doubled
    /// A list ends after so many names.
    case partial(Int)
    /// A list comes in a wrong order, which no caller may believe.
    case reordered
    /// The hub answers with an error and does nothing.
    case error(HubError.Code)
}

extension MemoryHub {
    /// This machine's clock, in milliseconds since 1970.
    @Sendable package static func systemTime() -> Int64 {
        Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
    }
}
