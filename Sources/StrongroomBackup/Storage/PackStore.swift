import StrongroomCore
internal import Synchronization

/// The packs of a repository, found by number, a few of them open at a time.
final class PackStore: Sendable {
    private struct State {
        var open: [UInt32: (reader: PackReader, age: UInt64)] = [:]
        /// Of several packs with one number, the one that had what was looked for.
        var chosen: [UInt32: String] = [:]
        var clock: UInt64 = 0
    }

    private static let openLimit = 48

    let folder: RepositoryFolder
    let names: PackNames
    private let state = Mutex(State())

    /// - Parameter known: The names in the folder, if they are known.
    init(_ folder: RepositoryFolder, names known: PackNames? = nil) throws {
        self.folder = folder
        names = try known ?? PackNames(folder)
    }

    func reader(_ number: UInt32) throws -> PackReader {
        try state.withLock { state in
            state.clock += 1
            if let found = state.open[number]?.reader {
                state.open[number]?.age = state.clock
                return found
            }
            if state.open.count >= Self.openLimit,
                let oldest = state.open.min(by: { $0.value.age < $1.value.age })
            {
                state.open[oldest.key] = nil
            }
            let reader = try openReader(number, state.chosen[number])
            state.open[number] = (reader, state.clock)
            return reader
        }
    }

    /// Whether several packs have a number.
    ///
    /// A second one is there for a moment when a pack is made smaller; or it is a stranger, which was
    /// copied here from another state of the repository, or from another repository.
    func hasRivals(_ number: UInt32) -> Bool { names[number]?.count ?? 0 > 1 }

    /// The pack that has an entry: of several with its number, one that has it.
    func reader(of reference: PageReference) throws -> PackReader {
        try reader(ofAll: CollectionOfOne(reference), in: reference.pack)
    }

    /// The pack that has all of some entries: of several with its number, one that has them.
    func reader(
        ofAll references: some Collection<PageReference>, in number: UInt32
    ) throws -> PackReader {
        guard hasRivals(number), let rivals = names[number] else { return try reader(number) }
        let usual = Result { try reader(number) }
        if let reader = try? usual.get(), references.allSatisfy(reader.has) { return reader }
        for name in rivals {
            guard let rival = try? PackReader(name, in: folder, number: number),
                references.allSatisfy(rival.has)
            else { continue }
            state.withLock { state in
                state.chosen[number] = name
                state.open[number] = (rival, state.clock)
            }
            return rival
        }
        return try usual.get()
    }

    /// How many entries all packs have that can be read.
    func entryCount() -> Int {
        names.keys.reduce(0) { $0 + Int((try? reader($1))?.rowCount ?? 0) }
    }

    /// Lets go of a pack; who reads it goes on reading.
    func close(_ number: UInt32) {
        state.withLock { $0.open[number] = nil }
    }

    /// Of two packs with one number, the larger has all that the smaller one has, unless it is a stranger.
    private func openReader(_ number: UInt32, _ chosen: String?) throws -> PackReader {
        if let chosen { return try PackReader(chosen, in: folder, number: number) }
        let sizes = try (names[number] ?? []).map { ($0, try folder.byteCount(of: $0) ?? 0) }
        guard let largest = sizes.max(by: { $0.1 < $1.1 }) else {
            let path = folder.path(of: RepositoryLayout.digits(number) + "-….pack")
            throw BackupError(
                .damaged, path, "pack \(number) is missing",
                hint: "fetch it from another copy of the repository")
        }
        return try PackReader(largest.0, in: folder, number: number)
    }

    /// The bytes of one entry, verified.
    func entry(_ reference: PageReference, page: UInt32) throws -> [UInt8] {
        let reader = try reader(of: reference)
        let row = try reader.row(reference.slot)
        try check(row, reference, page, reader)
        let bytes = try [UInt8](unsafeUninitializedCapacity: Int(row.length)) { buffer, used in
            try reader.read(UnsafeMutableRawBufferPointer(buffer), at: row.offset)
            used = buffer.count
        }
        guard try bytes.withUnsafeBytes({ try ContentDigest(of: $0) }) == reference.digest else {
            throw BackupError.damaged(reader.path, "entry \(reference.slot) was changed")
        }
        return bytes
    }

    /// A node of a tree.
    func node(_ reference: PageReference) throws -> [PageReference] {
        let bytes = try entry(reference, page: 0)
        guard let node = bytes.withUnsafeBytes({ TreeNode.decode($0) }) else {
            let path = try reader(of: reference).path
            throw BackupError.damaged(path, "entry \(reference.slot) is no node")
        }
        return node
    }

    private func check(
        _ row: PackRow, _ reference: PageReference, _ page: UInt32, _ reader: PackReader
    ) throws {
        guard row.digest == reference.digest, !row.isDropped, row.page == page else {
            throw BackupError.damaged(
                reader.path,
                "entry \(reference.slot) is not what the backup says"
                    + (page == 0 ? "" : " of page \(page)"))
        }
    }

    /// Reads pages one after the other into memory, and verifies each by its hash.
    func read(
        _ references: some RandomAccessCollection<PageReference>, firstPage: UInt32, pageSize: Int,
        to memory: UnsafeMutableRawBufferPointer
    ) throws {
        let references = Array(references)
        var start = 0
        while start < references.count {
            let first = references[start]
            var end = start + 1
            while end < references.count, references[end].pack == first.pack,
                UInt64(references[end].slot) == UInt64(first.slot) + UInt64(end - start)
            {
                end += 1
            }
            let target = UnsafeMutableRawBufferPointer(
                rebasing: memory[(start * pageSize)..<(end * pageSize)])
            try readRun(
                references[start..<end], page: firstPage + UInt32(start), pageSize, target)
            start = end
        }
    }

    /// Pages whose entries have numbers one after the other, and so lie together.
    private func readRun(
        _ references: ArraySlice<PageReference>, page: UInt32, _ pageSize: Int,
        _ target: UnsafeMutableRawBufferPointer
    ) throws {
        guard let first = references.first else { return }
        let reader = try reader(ofAll: references, in: first.pack)
        let rows = try reader.rows(from: first.slot, count: references.count)
        for (index, (row, reference)) in zip(rows, references).enumerated() {
            try check(row, reference, page + UInt32(index), reader)
            guard row.length == pageSize,
                row.offset == rows[0].offset &+ UInt64(index * pageSize)
            else { throw BackupError.damaged(reader.path, "a page has another size") }
        }
        try reader.read(target, at: rows[0].offset)
        let digests = try ContentDigest.digests(
            ofBlocksIn: UnsafeRawBufferPointer(target), blockByteCount: pageSize)
        for (index, (digest, reference)) in zip(digests, references).enumerated()
        where digest != reference.digest {
            throw BackupError.damaged(
                reader.path, "what is stored of page \(page + UInt32(index)) was changed")
        }
    }
}
