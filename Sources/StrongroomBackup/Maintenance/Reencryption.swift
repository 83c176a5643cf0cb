import StrongroomCore
internal import Synchronization

/// The pages of some backups on their way to another key.
struct Reencryption {
    let repository: OpenRepository
    let oldKey: PageKey
    let newKey: PageKey
    let packs: PackWriter
    let operation: LongOperation
    let threads: Int
    /// The hash of the newest keyring that knows the new key; nil if none does.
    let keyring: String?

    /// The manifests of the new backups, without numbers.
    func run(
        _ backups: [Backup], cipher: Manifest.Cipher, _ key: BackupKey
    ) throws -> [Manifest] {
        try operation.begin(
            .storing, totalByteCount: backups.reduce(0) { $0 + $1.byteCount })
        var manifests: [Manifest] = []
        var last: (old: Backup, root: PageReference)?
        for backup in backups {
            // What was written so far is read again: it must have its name.
            let before = packs.totals
            let root = try convert(backup, last)
            try packs.finish()
            var manifest = backup.manifest
            manifest.cipher = cipher
            manifest.key = key.identifier
            if manifest.keyring != nil { manifest.keyring = keyring }
            manifest.root = .init(
                sha256: root.digest.hexadecimal, pack: root.pack, slot: root.slot)
            manifest.rekeyed = backup.manifest.sequence
            manifest.base = nil
            let totals = packs.totals
            manifest.firstPack = before.nextPack
            manifest.packCount = totals.nextPack - before.nextPack
            manifest.storedPageCount = totals.pageCount - before.pageCount
            manifest.storedByteCount = totals.byteCount - before.byteCount
            manifests.append(manifest)
            last = (backup, root)
        }
        return manifests
    }

    private func convert(
        _ backup: Backup, _ last: (old: Backup, root: PageReference)?
    ) throws -> PageReference {
        let store = try PackStore(repository.folders.packs)
        let old = try repository.tree(of: backup, store)
        let zeros = try StoredZeros(old.pages(pageSize: backup.pageSize), key: oldKey)
        let conversion = PageConversion(
            old: old, store: store, packs: packs, path: repository.path, zeros: zeros,
            previousOld: try last.map { try repository.tree(of: $0.old, store) },
            previousNew: last.map {
                PageTree(root: $0.root, pageCount: $0.old.manifest.pageCount, store: store)
            })
        let assembly = Mutex(
            PageTreeAssembly(
                PageTreeWriter(
                    pageCount: old.pageCount, previous: conversion.previousNew, packs: packs)))
        // Memory, chunk by chunk, to which only those pages are read that are to be converted.
        let memory = PageSource(byteCount: backup.byteCount, pageSize: backup.pageSize) {
            buffer, _ in
            buffer.count
        }
        try memory.forEachChunk(
            threads: threads,
            makeState: { [oldKey, newKey] in
                try PageConversion.State(
                    old: PageCodec(oldKey, forManyPages: true),
                    new: PageCodec(newKey, forManyPages: true))
            }
        ) { [operation] state, chunk in
            let references = try conversion.run(chunk, &state)
            try assembly.withLock { try $0.add(references, from: chunk.firstPage) }
            try operation.advance(by: chunk.bytes.count)
        }
        return try assembly.withLock { try $0.finish() }
    }
}

/// The pages of one backup on their way: those that the backup before has too are shared again.
private struct PageConversion: Sendable {
    /// What a thread needs for itself.
    struct State: ~Copyable {
        var old: PageCodec
        var new: PageCodec
    }

    let old: PageTree
    let store: PackStore
    let packs: PackWriter
    let path: String
    let zeros: StoredZeros
    let previousOld: PageTree?
    let previousNew: PageTree?

    func run(_ chunk: PageSource.Chunk, _ state: inout State) throws -> [PageReference] {
        let page = chunk.firstPage
        let references = try old.references(from: page, count: chunk.pageCount)
        if let page = try zeros.firstInUse(references.map(\.digest), firstPage: page) {
            throw BackupError.damaged(path, "page \(page) is in use, and all zeros")
        }
        let known = try previousOld?.references(from: page, count: references.count) ?? []
        let converted = try previousNew?.references(from: page, count: references.count) ?? []
        var result: [PageReference] = []
        result.reserveCapacity(references.count)
        while result.count < references.count {
            let index = result.count
            let isKnown = { index in
                index < known.count && index < converted.count
                    && known[index] == references[index]
            }
            if isKnown(index) {
                result.append(converted[index])
                continue
            }
            let end = (index..<references.count).first(where: isKnown) ?? references.count
            result += try convert(
                references[index..<end], in: chunk, at: index, &state)
        }
        return result
    }

    /// Pages one after the other, read, encrypted anew in place, and stored.
    private func convert(
        _ references: ArraySlice<PageReference>, in chunk: PageSource.Chunk, at index: Int,
        _ state: inout State
    ) throws -> [PageReference] {
        let first = chunk.firstPage + UInt32(index)
        let size = chunk.pageSize
        let memory = UnsafeMutableRawBufferPointer(
            rebasing: chunk.bytes[(index * size)..<((index + references.count) * size)])
        try store.read(references, firstPage: first, pageSize: size, to: memory)
        let pages = (0..<references.count).map { position in
            NumberedPage(
                UnsafeMutableRawBufferPointer(
                    rebasing: memory[(position * size)..<((position + 1) * size)]),
                number: first + UInt32(position))
        }
        try convert(pages, &state)
        let digests = try ContentDigest.digests(
            ofBlocksIn: UnsafeRawBufferPointer(memory), blockByteCount: size)
        return try packs.append(UnsafeRawBufferPointer(memory), digests, page: first)
    }

    private func convert(_ pages: [NumberedPage], _ state: inout State) throws {
        var written: [NumberedPage] = []
        for (page, verdict) in try zip(pages, state.old.verdicts(on: pages)) {
            switch verdict {
            case .authentic, .unprotected:
                try state.old.decrypt(page.bytes, number: page.number)
                written.append(page)
            case .blank, .lockBytes:
                break
            case .damaged:
                throw BackupError.damaged(path, "page \(page.number) was not written with the key")
            }
        }
        try state.new.encrypt(written)
    }
}
