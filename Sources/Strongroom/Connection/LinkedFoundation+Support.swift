package import StrongroomCore

extension LinkedFoundation: FoundationSupport {
    package static var collations: [DatabaseCollation] { DatabaseCollation.ofFoundation }

    package static var functions: [DatabaseFunction] { DatabaseFunction.ofFoundation }

    package static func observeSuspension(
        _ notify: @escaping @Sendable (_ isSuspended: Bool) -> Void
    ) -> any Sendable {
        SuspensionObserver(notify)
    }
}
