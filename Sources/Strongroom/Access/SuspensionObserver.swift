internal import Foundation
internal import Synchronization

/// Passes the notifications of suspension on to a connection, as long as both live.
final class SuspensionObserver: Sendable {
    private let tokens = Mutex<[Token]>([])

    // Safety: a token is only given back to the center, which is for all threads.
    private struct Token: @unchecked Sendable {
        let observer: any NSObjectProtocol
    }

    deinit {
        tokens.withLock { $0 }.forEach { NotificationCenter.default.removeObserver($0.observer) }
    }

    func observe(_ connection: SerializedDatabase) {
        add(Database.suspendNotification) { [weak connection] in connection?.setSuspended(true) }
        add(Database.resumeNotification) { [weak connection] in connection?.setSuspended(false) }
    }

    private func add(_ name: Notification.Name, _ action: @escaping @Sendable () -> Void) {
        let observer = NotificationCenter.default.addObserver(
            forName: name, object: nil, queue: nil
        ) {
            _ in action()
        }
        let token = Token(observer: observer)
        tokens.withLock { $0.append(token) }
    }
}
