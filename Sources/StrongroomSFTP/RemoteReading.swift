import StrongroomCore
internal import Synchronization

/// A file on the server that is read: what is read one after the other is asked for ahead.
///
/// 1. Blocks are asked for at once and received in any order; each is kept until others take its place. They are as
///    many as it takes to keep the table of a pack while its entries are read: some servers take long to go back.
/// 2. What goes on where an earlier read has ended is a stream. rclone reads from one place of a handle, and takes long
///    to go to another one: without `fsync@openssh.com`, each stream has a handle of its own.
/// 3. After a connection was lost, the file is opened again by its path.
final class RemoteReading: Sendable {
    private static let blockByteCount = Client.pieceByteCount
    /// Blocks that are asked for beyond what is read, and those that are kept.
    private static let blocksAhead: Int64 = 24
    private static let keptBlocks = 120
    /// Several threads read, and the table is read in between.
    private static let keptStreams = 3

    private struct Stream {
        let handle: Client.Handle
        /// The last block of the last read.
        var end: Int64
        /// How many blocks it has read: so much, and no more, is asked for ahead.
        var count: Int64 = 0
    }

    private struct Block {
        let handle: Client.Handle
        var pieces: [(offset: Int64, reply: Connection.Reply)] = []
        var bytes: [UInt8]?
        var age: UInt64 = 0
    }

    private struct State {
        var client: Client
        var handle: Client.Handle
        var blocks: [Int64: Block] = [:]
        var clock: UInt64 = 0
        /// The one that was read last comes last.
        var streams: [Stream]
    }

    let path: String
    let attributes: RemoteAttributes
    private let byteCount: Int64
    private let state: Mutex<State>

    init(_ client: Client, _ path: String) throws(SFTPFailure) {
        self.path = path
        let handle = try client.open(path, Client.Access.read)
        do throws(SFTPFailure) {
            attributes = try client.status(handle)
        } catch {
            try? client.close(handle)
            throw error
        }
        byteCount = attributes.byteCount ?? 0
        state = Mutex(
            State(client: client, handle: handle, streams: [Stream(handle: handle, end: -1)]))
    }

    /// - Returns: 0 only at the end of the file.
    func read(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ client: Client
    ) throws(SFTPFailure) -> Int {
        guard offset >= 0, offset < byteCount, !buffer.isEmpty else { return 0 }
        // Safety: the closure is called before this function returns, and on this thread.
        nonisolated(unsafe) let buffer = buffer
        return try state.withLock { state throws(SFTPFailure) in
            if state.client !== client {
                state.blocks = [:]
                state.handle = try client.open(path, Client.Access.read)
                state.client = client
                state.streams = []
            }
            let size = Int64(Self.blockByteCount)
            let count = min(buffer.count, Int(byteCount - offset))
            let first = offset / size
            let last = (offset + Int64(count) - 1) / size
            let (handle, ahead) = try stream(from: first, to: last, &state)
            for index in first...max(first, min(last + ahead, (byteCount - 1) / size)) {
                try request(index, handle, &state)
            }
            // As much as one block gives, if there is more than blocks are kept.
            var done = 0
            for index in first...last {
                let bytes = try content(index, &state)
                let start = Int(offset + Int64(done) - index * size)
                guard start < bytes.count else { break }
                let part = bytes[start..<min(bytes.count, start + count - done)]
                UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: part)
                done += part.count
                if bytes.count < Self.blockByteCount { break }
            }
            discardOldBlocks(&state)
            return done
        }
    }

    /// The handle for a read, and how many blocks to ask for ahead: none unless it goes on where an earlier one has ended.
    private func stream(
        from first: Int64, to last: Int64, _ state: inout State
    ) throws(SFTPFailure) -> (Client.Handle, ahead: Int64) {
        if let index = state.streams.firstIndex(where: { $0.end == first || $0.end == first - 1 }) {
            var stream = state.streams.remove(at: index)
            stream.count += last - stream.end
            stream.end = last
            state.streams.append(stream)
            return (stream.handle, min(stream.count, Self.blocksAhead))
        }
        var handle = state.handle
        if state.streams.count == Self.keptStreams {
            handle = state.streams.removeFirst().handle
        } else if !state.client.synchronizes, !state.streams.isEmpty {
            handle = try state.client.open(path, Client.Access.read)
        }
        state.streams.append(Stream(handle: handle, end: last, count: last - first + 1))
        return (handle, 0)
    }

    private func request(
        _ index: Int64, _ handle: Client.Handle, _ state: inout State
    ) throws(SFTPFailure) {
        state.clock += 1
        if state.blocks[index] != nil {
            state.blocks[index]?.age = state.clock
            return
        }
        var block = Block(handle: handle, age: state.clock)
        let start = index * Int64(Self.blockByteCount)
        let end = min(byteCount, start + Int64(Self.blockByteCount))
        for offset in stride(from: start, to: end, by: Client.pieceByteCount) {
            let count = min(Client.pieceByteCount, Int(end - offset))
            block.pieces.append(
                (offset, try state.client.beginReading(handle, at: offset, count)))
        }
        state.blocks[index] = block
    }

    private func content(_ index: Int64, _ state: inout State) throws(SFTPFailure) -> [UInt8] {
        if state.blocks[index] == nil { try request(index, state.handle, &state) }
        guard let block = state.blocks[index] else { return [] }
        if let bytes = block.bytes { return bytes }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.blockByteCount)
        let end = min(byteCount, (index + 1) * Int64(Self.blockByteCount))
        do throws(SFTPFailure) {
            for piece in block.pieces {
                let pieceEnd = min(end, piece.offset + Int64(Client.pieceByteCount))
                var reply = piece.reply
                var offset = piece.offset
                // A server may give less than it was asked for, anywhere.
                while true {
                    let wanted = Int(pieceEnd - offset)
                    let part = try Client.bytes(reply.wait(), limit: wanted)
                    bytes += part
                    offset += Int64(part.count)
                    guard offset < pieceEnd, !part.isEmpty else { break }
                    reply = try state.client.beginReading(
                        block.handle, at: offset, Int(pieceEnd - offset))
                }
                if offset < pieceEnd { break }
            }
        } catch {
            state.blocks[index] = nil
            throw error
        }
        state.blocks[index]?.pieces = []
        state.blocks[index]?.bytes = bytes
        return bytes
    }

    private func discardOldBlocks(_ state: inout State) {
        while state.blocks.count > Self.keptBlocks,
            let oldest = state.blocks.min(by: { $0.value.age < $1.value.age })?.key
        {
            state.blocks[oldest] = nil
        }
    }

    /// Lets go of what was read, but not of the file.
    func discardBlocks() {
        state.withLock { state in
            state.blocks = [:]
            closeStreams(&state)
        }
    }

    private func closeStreams(_ state: inout State) {
        for stream in state.streams where stream.handle != state.handle {
            state.client.beginClosing(stream.handle)
        }
        state.streams = [Stream(handle: state.handle, end: -1)]
    }

    func close() {
        state.withLock { state in
            state.blocks = [:]
            closeStreams(&state)
            state.client.beginClosing(state.handle)
        }
    }
}
