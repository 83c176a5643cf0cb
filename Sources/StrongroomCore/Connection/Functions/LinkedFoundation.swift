/// What needs all of Foundation: every connection has it in a program that links the module `Strongroom`.
package protocol FoundationSupport: SendableMetatype {
    /// The collations that compare as Foundation does.
    static var collations: [DatabaseCollation] { get }

    /// The functions that transform texts as the current locale does.
    static var functions: [DatabaseFunction] { get }

    /// Calls a function for each notification of suspension, until the result is let go.
    ///
    /// - Parameter notify: Gets whether databases are to be suspended, or to resume.
    static func observeSuspension(
        _ notify: @escaping @Sendable (_ isSuspended: Bool) -> Void
    ) -> any Sendable
}

/// Conforms to ``FoundationSupport`` where the module `Strongroom` is linked: this module, and what is
/// built on it alone, do without Foundation's internationalisation, which is 40 MB.
package enum LinkedFoundation {
    static let support = (LinkedFoundation.self as Any.Type) as? any FoundationSupport.Type
}
