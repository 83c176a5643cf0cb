internal import LibC
import StrongroomCore
internal import Synchronization

/// A new file on the server, which is written from its beginning to its end.
///
/// 1. Bytes may be given in any order, from several threads: they are sent in order, as some servers want it.
/// 2. Bytes are kept until the server has confirmed them. After a connection was lost, the file is opened again
///    by its path, and they are sent once more.
/// 3. A server without `fsync@openssh.com` may keep nothing of a file that was not closed: object stores have no parts
///    of files. All bytes are kept for it, the file begins anew after a lost connection, and its size is compared.
/// 4. Nothing is sure to be there before ``finish(_:)`` returns.
final class RemoteWriting: Sendable {
    /// Bytes on their way that nobody waits for.
    private static let largestUnconfirmed = 64

    private struct Piece {
        let offset: Int64
        let bytes: ArraySlice<UInt8>
        var reply: Connection.Reply?
    }

    private struct State {
        var client: Client
        var handle: Client.Handle?
        /// Where the bytes that were not sent begin.
        var end: Int64 = 0
        var unsent: [UInt8] = []
        /// Bytes that come after a gap.
        var later: [Int64: [UInt8]] = [:]
        var unconfirmed: [Piece] = []
        /// What was confirmed by a server that may lose it.
        var confirmed: [Piece] = []
    }

    let path: String
    private let state: Mutex<State>

    /// - Parameter isRepeated: Whether the file may be there already, from a request whose answer was lost.
    init(_ client: Client, _ path: String, isRepeated: Bool) throws(SFTPFailure) {
        self.path = path
        typealias Access = Client.Access
        let flags = Access.write | Access.create | (isRepeated ? Access.truncate : Access.exclusive)
        state = Mutex(State(client: client, handle: try client.open(path, flags)))
    }

    var byteCount: Int64 { state.withLock { $0.end + Int64($0.unsent.count) } }

    /// Takes bytes, before they are sent.
    func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64?) throws(SystemError) {
        let bytes = Array(bytes)
        try state.withLock { state throws(SystemError) in
            let end = state.end + Int64(state.unsent.count)
            guard let offset, offset != end else {
                state.unsent += bytes
                while let next = state.later.removeValue(
                    forKey: state.end + Int64(state.unsent.count))
                {
                    state.unsent += next
                }
                return
            }
            guard offset > end, state.later[offset] == nil else {
                throw SystemError("write", path, number: EINVAL)
            }
            state.later[offset] = bytes
        }
    }

    /// Sends what fills whole packets.
    func send(_ client: Client) throws(SFTPFailure) {
        try state.withLock { state throws(SFTPFailure) in
            try resume(client, &state)
            try sendPieces(&state, whole: true)
        }
    }

    /// Sends the rest, and waits until all of it is on the disk, or wherever the server keeps it.
    func finish(_ client: Client) throws(SFTPFailure) {
        try state.withLock { state throws(SFTPFailure) in
            try resume(client, &state)
            guard let handle = state.handle else { return }
            guard state.later.isEmpty else { throw .malformed("a gap in what is written") }
            try sendPieces(&state, whole: false)
            try confirm(&state, downTo: 0)
            if client.synchronizes { try client.synchronize(handle) }
            // Some servers report only now what went wrong.
            try client.close(handle)
            if !client.synchronizes { try requireSize(state.end, client) }
            state.handle = nil
            state.confirmed = []
        }
    }

    private func requireSize(_ byteCount: Int64, _ client: Client) throws(SFTPFailure) {
        guard let kept = try client.status(path).byteCount, kept != byteCount else { return }
        throw .status(
            SFTPFailure.generalFailure, "it has kept \(kept) of \(byteCount) bytes of a file")
    }

    func close() {
        state.withLock { state in
            guard let handle = state.handle else { return }
            state.client.beginClosing(handle)
            state.handle = nil
            state.confirmed = []
        }
    }

    private func sendPieces(_ state: inout State, whole: Bool) throws(SFTPFailure) {
        guard let handle = state.handle else { return }
        var sent = 0
        while state.unsent.count - sent >= (whole ? Client.pieceByteCount : 1) {
            let part = state.unsent[sent..<min(state.unsent.count, sent + Client.pieceByteCount)]
            var piece = Piece(offset: state.end, bytes: ArraySlice(Array(part)))
            // It counts as sent before it is, so that it is sent again if the connection is lost.
            state.end += Int64(part.count)
            sent += part.count
            do throws(SFTPFailure) {
                piece.reply = try state.client.beginWriting(handle, part, at: piece.offset)
            } catch {
                state.unconfirmed.append(piece)
                state.unsent.removeFirst(sent)
                throw error
            }
            state.unconfirmed.append(piece)
            if state.unconfirmed.count > Self.largestUnconfirmed {
                do throws(SFTPFailure) {
                    try confirm(&state, downTo: Self.largestUnconfirmed / 2)
                } catch {
                    state.unsent.removeFirst(sent)
                    throw error
                }
            }
        }
        state.unsent.removeFirst(sent)
    }

    private func confirm(_ state: inout State, downTo count: Int) throws(SFTPFailure) {
        while state.unconfirmed.count > count, let reply = state.unconfirmed.first?.reply {
            try Client.requireSuccess(reply.wait())
            var piece = state.unconfirmed.removeFirst()
            guard !state.client.synchronizes else { continue }
            piece.reply = nil
            state.confirmed.append(piece)
        }
    }

    /// Opens the file again where the connection is a new one.
    private func resume(_ client: Client, _ state: inout State) throws(SFTPFailure) {
        guard state.client !== client, state.handle != nil else { return }
        guard client.synchronizes else { return try restart(client, &state) }
        let handle = try client.open(path, Client.Access.write)
        let count = try client.status(handle).byteCount ?? 0
        let confirmed = state.unconfirmed.first?.offset ?? state.end
        guard count >= confirmed else {
            throw .malformed("the server has lost bytes that it had confirmed")
        }
        state.client = client
        state.handle = handle
        try sendAgain(&state)
    }

    /// Writes the file from its beginning where the connection is a new one.
    private func restart(_ client: Client, _ state: inout State) throws(SFTPFailure) {
        typealias Access = Client.Access
        state.handle = try client.open(path, Access.write | Access.create | Access.truncate)
        state.client = client
        state.unconfirmed = state.confirmed + state.unconfirmed
        state.confirmed = []
        try sendAgain(&state)
    }

    private func sendAgain(_ state: inout State) throws(SFTPFailure) {
        guard let handle = state.handle else { return }
        for index in state.unconfirmed.indices {
            let piece = state.unconfirmed[index]
            state.unconfirmed[index].reply = try state.client.beginWriting(
                handle, piece.bytes, at: piece.offset)
        }
    }
}
