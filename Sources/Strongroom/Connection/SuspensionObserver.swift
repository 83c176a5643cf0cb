internal import Foundation
internal import StrongroomCore

/// Passes the notifications of suspension on, as long as it lives.
final class SuspensionObserver: Sendable {
    // Safety: a token is only given back to the center, which is for all threads.
    private nonisolated(unsafe) let tokens: [any NSObjectProtocol]

    init(_ notify: @escaping @Sendable (_ isSuspended: Bool) -> Void) {
        tokens = [
            Self.observe(Database.suspendNotification) { notify(true) },
            Self.observe(Database.resumeNotification) { notify(false) },
        ]
    }

    deinit {
        tokens.forEach { NotificationCenter.default.removeObserver($0) }
    }

    private static func observe(
        _ name: Notification.Name, _ action: @escaping @Sendable () -> Void
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
            action()
        }
    }
}
