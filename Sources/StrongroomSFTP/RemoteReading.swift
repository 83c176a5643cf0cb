import StrongroomCore
internal import Synchronization

/// A file on the server that is read: what is read one after the other is asked for ahead.
///
/// 1. Blocks are asked for at once and received in any order; each is kept until others take its place. They are as
///    many as it takes to keep the table of a pack while its entries are read: some servers take long to go back.
/// 2. After a connection was lost, the file is opened again by its path.
final class RemoteReading: Sendable {
    private static let blockByteCount = Client.pieceByteCount
    /// Blocks that are asked for beyond what is read, and those that are kept.
    private static let blocksAhead = 32
    private static let keptBlocks = 112
    /// Places after which a read counts as the next one: several threads read, and the table is read in between.
    private static let keptEnds = 4

    private struct Block {
        var pieces: [(offset: Int64, reply: Connection.Reply)] = []
        var bytes: [UInt8]?
        var age: UInt64 = 0
    }

    private struct State {
        var client: Client
        var handle: Client.Handle
        var blocks: [Int64: Block] = [:]
        var clock: UInt64 = 0
        /// The last blocks of the last reads.
        var ends: [Int64] = [-1]

        /// Whether a read goes on where an earlier one has ended.
        mutating func goesOn(at first: Int64, to last: Int64) -> Bool {
            let earlier = ends.firstIndex { $0 == first || $0 == first - 1 }
            if let earlier { ends.remove(at: earlier) }
            ends.append(last)
            if ends.count > RemoteReading.keptEnds { ends.removeFirst() }
            return earlier != nil
        }
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
        state = Mutex(State(client: client, handle: handle))
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
            }
            let size = Int64(Self.blockByteCount)
            let count = min(buffer.count, Int(byteCount - offset))
            let first = offset / size
            let last = (offset + Int64(count) - 1) / size
            let ahead = state.goesOn(at: first, to: last) ? last + Int64(Self.blocksAhead) : last
            for index in first...max(first, min(ahead, (byteCount - 1) / size)) {
                try request(index, &state)
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

    private func request(_ index: Int64, _ state: inout State) throws(SFTPFailure) {
        state.clock += 1
        if state.blocks[index] != nil {
            state.blocks[index]?.age = state.clock
            return
        }
        var block = Block(age: state.clock)
        let start = index * Int64(Self.blockByteCount)
        let end = min(byteCount, start + Int64(Self.blockByteCount))
        for offset in stride(from: start, to: end, by: Client.pieceByteCount) {
            let count = min(Client.pieceByteCount, Int(end - offset))
            block.pieces.append(
                (offset, try state.client.beginReading(state.handle, at: offset, count)))
        }
        state.blocks[index] = block
    }

    private func content(_ index: Int64, _ state: inout State) throws(SFTPFailure) -> [UInt8] {
        if state.blocks[index] == nil { try request(index, &state) }
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
                        state.handle, at: offset, Int(pieceEnd - offset))
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
        state.withLock { $0.blocks = [:] }
    }

    func close() {
        state.withLock { state in
            state.blocks = [:]
            state.client.beginClosing(state.handle)
        }
    }
}
