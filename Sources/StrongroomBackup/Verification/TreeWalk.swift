/// Follows trees to their pages; what trees share is followed once.
struct TreeWalk {
    let store: PackStore
    let damaged: DamagedEntries
    let nodes: KeptNodes
    private var known: [Visit: Bool] = [:]

    /// A node serves in one place: as high, and over the same pages, wherever it is met again.
    private struct Visit: Hashable {
        let place: UInt64
        let height: Int
        let pages: ClosedRange<UInt32>
    }

    init(store: PackStore, damaged: DamagedEntries, nodes: KeptNodes) {
        self.store = store
        self.damaged = damaged
        self.nodes = nodes
    }

    /// Whether all that a node leads to is what it should be.
    mutating func verify(
        _ reference: PageReference, height: Int, pages: ClosedRange<UInt32>, pageSize: UInt32,
        note: (any Error) throws -> Void
    ) throws -> Bool {
        let visit = Visit(place: reference.place, height: height, pages: pages)
        if let known = known[visit] {
            // Verified by its own hash before; another hash cannot be right as well.
            return try known && isRow(reference, page: 0, length: nil)
        }
        var isSound = true
        do {
            let node = try nodes.node(reference) ?? store.node(reference)
            let reach = UInt64(1) << UInt64(6 * (height - 1))
            let needed = (UInt64(pages.count) + reach - 1) / reach
            guard UInt64(node.count) == needed else {
                throw BackupError.damaged(store.folder.path, "a node has another size")
            }
            for (index, child) in node.enumerated() {
                let first = UInt64(pages.lowerBound) + UInt64(index) * reach
                let last = min(UInt64(pages.upperBound), first + reach - 1)
                let isChildSound =
                    height == 1
                    ? try isPage(child, UInt32(first), pageSize, note)
                    : try verify(
                        child, height: height - 1, pages: UInt32(first)...UInt32(last),
                        pageSize: pageSize, note: note)
                isSound = isChildSound && isSound
            }
        } catch {
            try note(error)
            isSound = false
        }
        known[visit] = isSound
        return isSound
    }

    private func isPage(
        _ reference: PageReference, _ page: UInt32, _ pageSize: UInt32,
        _ note: (any Error) throws -> Void
    ) throws -> Bool {
        if damaged.contains(reference, in: store) { return false }
        do {
            if try isRow(reference, page: page, length: pageSize) { return true }
            let path = try store.reader(of: reference).path
            throw BackupError.damaged(
                path, "entry \(reference.slot) is not what a backup says of page \(page)")
        } catch {
            try note(error)
            return false
        }
    }

    private func isRow(_ reference: PageReference, page: UInt32, length: UInt32?) throws -> Bool {
        let reader = try store.reader(of: reference)
        guard reference.slot < reader.rowCount else { return false }
        let row = try reader.row(reference.slot)
        return row.digest == reference.digest && row.page == page && !row.isDropped
            && (length == nil || row.length == length)
    }
}

/// The entries of packs in which a verification has found damage.
struct DamagedEntries: Sendable {
    /// Entries by their place, and whole packs.
    private var places: Set<UInt64> = []
    /// The same in packs that share their number with another one, by their names: nil for a whole pack.
    private var ofRivals: [String: Set<UInt32?>] = [:]

    /// - Parameters:
    ///   - slot: Nil for all of the pack.
    ///   - hasRival: Whether there are several packs with the number.
    mutating func insert(_ slot: UInt32?, of number: UInt32, _ name: String, hasRival: Bool) {
        if hasRival {
            ofRivals[name, default: []].insert(slot)
        } else {
            places.insert(UInt64(number) << 32 | UInt64(slot ?? .max))
        }
    }

    func contains(_ reference: PageReference, in store: PackStore) -> Bool {
        if places.contains(reference.place)
            || places.contains(UInt64(reference.pack) << 32 | UInt64(UInt32.max))
        {
            return true
        }
        guard !ofRivals.isEmpty, store.hasRivals(reference.pack) else { return false }
        // Whichever of them is read.
        return (store.names[reference.pack] ?? []).contains { name in
            guard let damaged = ofRivals[name],
                damaged.contains(nil) || damaged.contains(reference.slot)
            else { return false }
            let reader = try? PackReader(name, in: store.folder, number: reference.pack)
            return reader?.has(reference) == true
        }
    }
}
