internal import Dispatch
import StrongroomCore
internal import Synchronization

/// Writes packs, one after the other, each under a temporary name until it is whole.
///
/// 1. Threads take turns only to be given a place: they write at once, each to its own.
/// 2. A pack that is full is brought to the disk by a thread of its own, while others write the
///    next one.
/// 3. Nothing is sure to be on the disk before ``finish()`` returns; ``discard()`` removes all.
final class PackWriter: Sendable {
    private struct Pack {
        let number: UInt32
        let name: String
        let descriptor: FileSystem.Descriptor
        var rows: [PackRow] = []
        var offset = UInt64(PackFormat.magic.count)
        /// How many threads are writing to it.
        var writerCount = 0
        /// Gets nothing more.
        var isClosed = false

        var isFull: Bool {
            offset >= PackFormat.fullByteCount || rows.count >= PackFormat.fullRowCount
        }

        var byteCount: Int64 {
            Int64(offset) + Int64(rows.count * PackFormat.rowByteCount + PackFormat.footerByteCount)
        }
    }

    private struct State {
        /// Those that still have their temporary names, by number.
        var packs: [UInt32: Pack] = [:]
        var number: UInt32
        var finished: [String] = []
        /// Those of them that were not there before.
        var own: [String] = []
        var failure: (any Error)?
        var pageCount: UInt32 = 0
        var byteCount: Int64 = 0
    }

    /// Where an entry is to be written.
    private struct Place {
        let descriptor: FileSystem.Descriptor
        let number: UInt32
        let offset: UInt64
        let slot: UInt32
    }

    /// More packs than these do not wait for the disk: each has a descriptor.
    private static let waitingPackLimit = 4

    private let packs: RepositoryFolder
    private let temporary: RepositoryFolder
    private let fileSystem: FileSystem
    private let state: Mutex<State>
    /// One pack after the other goes to the disk.
    private let disk = Mutex(())
    private let waiting = DispatchSemaphore(value: waitingPackLimit)

    init(_ folders: RepositoryFolders, firstNumber: UInt32) throws {
        packs = folders.packs
        temporary = try folders.temporary()
        fileSystem = packs.fileSystem
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
        let place = try state.withLock { try reserve(bytes.count, digests, page, &$0) }
        let written = Result {
            try fileSystem.writeAll(bytes, to: place.descriptor, at: Int64(place.offset))
            fileSystem.beginSynchronizing(
                place.descriptor, Int64(place.offset), Int64(bytes.count))
        }
        let whole = state.withLock { state -> Pack? in
            state.packs[place.number]?.writerCount -= 1
            if case .failure(let error) = written { Self.fail(error, &state) }
            return state.failure == nil ? Self.takeIfWhole(place.number, &state) : nil
        }
        try written.get()
        if let whole { bringToDisk(whole) }
        return digests.enumerated().map { index, digest in
            PageReference(digest, pack: place.number, slot: place.slot + UInt32(index))
        }
    }
}

// MARK: - Places

extension PackWriter {
    private func reserve(
        _ byteCount: Int, _ digests: some Collection<ContentDigest>, _ page: UInt32,
        _ state: inout State
    ) throws -> Place {
        if let failure = state.failure { throw failure }
        var pack = try state.packs.removeValue(forKey: state.number) ?? begin(state.number)
        let place = Place(
            descriptor: pack.descriptor, number: pack.number, offset: pack.offset,
            slot: UInt32(pack.rows.count))
        let length = byteCount / digests.count
        for (index, digest) in digests.enumerated() {
            pack.rows.append(
                PackRow(
                    digest: digest, offset: pack.offset, length: UInt32(length),
                    page: page == 0 ? 0 : page + UInt32(index)))
            pack.offset += UInt64(length)
        }
        pack.writerCount += 1
        if page != 0 { state.pageCount += UInt32(digests.count) }
        if pack.isFull { Self.close(&pack, &state) }
        state.packs[pack.number] = pack
        return place
    }

    private static func close(_ pack: inout Pack, _ state: inout State) {
        pack.isClosed = true
        state.number += 1
        state.byteCount += pack.byteCount
    }

    /// The first failure is the one that is told.
    private static func fail(_ error: any Error, _ state: inout State) {
        if state.failure == nil { state.failure = error }
    }

    private func begin(_ number: UInt32) throws -> Pack {
        let name = RepositoryLayout.temporaryName()
        let pack = Pack(number: number, name: name, descriptor: try temporary.create(name))
        do {
            try PackFormat.magic.withUnsafeBytes {
                try fileSystem.writeAll($0, to: pack.descriptor, at: 0)
            }
        } catch {
            remove(pack)
            throw error
        }
        return pack
    }

    private func remove(_ pack: Pack) {
        fileSystem.close(pack.descriptor)
        try? temporary.remove(pack.name)
    }

    /// The pack, if all of it is written but the table.
    private static func takeIfWhole(_ number: UInt32, _ state: inout State) -> Pack? {
        guard let pack = state.packs[number], pack.isClosed, pack.writerCount == 0 else {
            return nil
        }
        return state.packs.removeValue(forKey: number)
    }
}

// MARK: - To the disk

extension PackWriter {
    private func bringToDisk(_ pack: Pack) {
        waiting.wait()
        // A thread of its own, or this one: a queue would wait for a thread that may never come.
        SystemThread.run { [self] in
            let result = disk.withLock { _ in Result { try finish(pack) } }
            state.withLock { state in
                switch result {
                case .success(let (name, isNew)):
                    state.finished.append(name)
                    if isNew { state.own.append(name) }
                case .failure(let error): Self.fail(error, &state)
                }
            }
            waiting.signal()
        }
    }

    private func awaitPacks() {
        for _ in 0..<Self.waitingPackLimit { waiting.wait() }
        for _ in 0..<Self.waitingPackLimit { waiting.signal() }
    }

    /// Writes the table, and gives the pack its name when all of it is on the disk.
    private func finish(_ pack: Pack) throws -> (name: String, isNew: Bool) {
        do {
            let tail = PackTable.encode(pack.rows, number: pack.number, offset: pack.offset)
            let digest = try tail.withUnsafeBytes { bytes in
                try fileSystem.writeAll(bytes, to: pack.descriptor, at: Int64(pack.offset))
                return try ContentDigest(of: bytes)
            }
            try fileSystem.synchronize(pack.descriptor)
            let name = PackFormat.name(pack.number, digest)
            // Somebody whom no lock keeps out may have written the very same: it stays his.
            let isNew = try !packs.contains(name)
            try temporary.rename(pack.name, to: packs, as: name)
            fileSystem.close(pack.descriptor)
            return (name, isNew)
        } catch {
            remove(pack)
            throw error
        }
    }

    /// Waits until all packs are on the disk; the names are still to be made durable.
    func finish() throws {
        let last = state.withLock { state -> Pack? in
            guard var pack = state.packs.removeValue(forKey: state.number) else { return nil }
            Self.close(&pack, &state)
            return pack
        }
        if let last { bringToDisk(last) }
        awaitPacks()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// The packs that are on the disk.
    var names: [String] { state.withLock { $0.finished } }

    /// - Throws: ``BackupError`` if somebody whom no lock keeps out has removed a pack.
    func requirePresence() throws {
        for name in names where try !packs.contains(name) {
            throw BackupError.changedMeanwhile(packs.path)
        }
    }

    /// Removes everything; nobody refers to it yet.
    func discard() {
        awaitPacks()
        state.withLock { state in
            for pack in state.packs.values { remove(pack) }
            for name in state.own { try? packs.remove(name) }
            state.packs = [:]
            state.finished = []
            state.own = []
        }
    }
}
