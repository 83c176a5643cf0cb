import Strongroom
internal import Synchronization

/// Writes packs, one after the other, each under a temporary name until it is whole.
///
/// Threads take turns. What is not finished is removed by ``discard()``.
final class PackWriter: Sendable {
    private struct Open {
        var path: String
        var descriptor: FileSystem.Descriptor
        var rows: [PackRow] = []
        var offset: UInt64
    }

    private struct State {
        var open: Open?
        var number: UInt32
        var finished: [String] = []
        var pageCount: UInt32 = 0
        var byteCount: Int64 = 0
    }

    private let layout: RepositoryLayout
    private let fileSystem: FileSystem
    private let state: Mutex<State>

    init(_ layout: RepositoryLayout, firstNumber: UInt32, fileSystem: FileSystem) {
        self.layout = layout
        self.fileSystem = fileSystem
        state = Mutex(State(number: firstNumber))
    }

    /// The number that the next pack will get; how many pages and bytes there are.
    var totals: (nextPack: UInt32, pageCount: UInt32, byteCount: Int64) {
        state.withLock { ($0.number, $0.pageCount, $0.byteCount) }
    }

    /// Appends entries that lie one after the other; `page` is the number of the first.
    ///
    /// - Parameter page: 0 for a node.
    /// - Returns: The place of each.
    func append(
        _ bytes: UnsafeRawBufferPointer, _ digests: some Collection<ContentDigest>, page: UInt32
    ) throws -> [PageReference] {
        try state.withLock { state in
            if state.open == nil { state.open = try begin() }
            guard var open = state.open else { return [] }
            try fileSystem.writeAll(bytes, to: open.descriptor, at: Int64(open.offset))
            let length = bytes.count / digests.count
            var references: [PageReference] = []
            for (index, digest) in digests.enumerated() {
                references.append(
                    PageReference(digest, pack: state.number, slot: UInt32(open.rows.count)))
                open.rows.append(
                    PackRow(
                        digest: digest, offset: open.offset, length: UInt32(length),
                        page: page == 0 ? 0 : page + UInt32(index)))
                open.offset += UInt64(length)
            }
            state.open = open
            if page != 0 { state.pageCount += UInt32(references.count) }
            if open.offset >= PackFormat.fullByteCount || open.rows.count >= PackFormat.fullRowCount
            {
                try finish(&state)
            }
            return references
        }
    }

    private func begin() throws -> Open {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let path = layout.temporary.appendingName(number)
        let descriptor = try fileSystem.create(path)
        let open = Open(
            path: path, descriptor: descriptor, offset: UInt64(PackFormat.magic.count))
        do {
            try PackFormat.magic.withUnsafeBytes {
                try fileSystem.writeAll($0, to: descriptor, at: 0)
            }
        } catch {
            fileSystem.close(descriptor)
            throw error
        }
        return open
    }

    /// Brings the last pack to the disk; the names are still to be made durable.
    func finish() throws {
        try state.withLock { try finish(&$0) }
    }

    private func finish(_ state: inout State) throws {
        guard let open = state.open else { return }
        let tail = PackTable.encode(open.rows, number: state.number, offset: open.offset)
        let digest = try tail.withUnsafeBytes { bytes in
            try fileSystem.writeAll(bytes, to: open.descriptor, at: Int64(open.offset))
            return try ContentDigest(of: bytes)
        }
        try fileSystem.synchronize(open.descriptor)
        let path = layout.packs.appendingName(PackFormat.name(state.number, digest))
        try fileSystem.rename(open.path, path)
        fileSystem.close(open.descriptor)
        state.open = nil
        state.finished.append(path)
        state.number += 1
        state.byteCount += Int64(open.offset) + Int64(tail.count)
    }

    /// Removes everything; nobody refers to it yet.
    func discard() {
        state.withLock { state in
            if let open = state.open {
                fileSystem.close(open.descriptor)
                try? fileSystem.remove(open.path)
                state.open = nil
            }
            for path in state.finished { try? fileSystem.remove(path) }
            state.finished = []
        }
    }
}
