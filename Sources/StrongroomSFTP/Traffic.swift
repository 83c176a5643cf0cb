internal import Synchronization

/// How much went to a server and came back.
package final class Traffic: Sendable {
    /// Requests and bytes.
    package struct Count: Sendable, Equatable {
        /// Requests that write, rename, or create.
        package var puts = 0
        /// Requests that read, or ask for a status.
        package var gets = 0
        /// Requests that list.
        package var lists = 0
        /// Requests that delete.
        package var deletes = 0
        package var bytesSent: Int64 = 0
        package var bytesReceived: Int64 = 0
    }

    private let count = Mutex(Count())

    init() {}

    package var total: Count { count.withLock { $0 } }

    func note(_ kind: UInt8) {
        count.withLock { count in
            switch kind {
            case PacketKind.write, PacketKind.rename, PacketKind.makeFolder, PacketKind.extended:
                count.puts += 1
            case PacketKind.readFolder, PacketKind.openFolder: count.lists += 1
            case PacketKind.remove, PacketKind.removeFolder: count.deletes += 1
            default: count.gets += 1
            }
        }
    }

    func noteSent(_ byteCount: Int) { count.withLock { $0.bytesSent += Int64(byteCount) } }

    func noteReceived(_ byteCount: Int) { count.withLock { $0.bytesReceived += Int64(byteCount) } }
}
