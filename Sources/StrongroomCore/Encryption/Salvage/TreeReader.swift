/// Walks through the trees of a database of which some pages are lost, and gives every row that is
/// not. Every page belongs to one place: what leads to a page for the second time is not followed.
final class TreeReader {
    /// A part of a tree that cannot be read.
    struct Loss: Equatable {
        enum Reason: Equatable {
            /// A page of the tree: whatever it had, or led to.
            case page
            /// One row, because the rest of it was on the page.
            case rest
            /// One row that says what cannot be; the page is its own.
            case row
        }

        let page: UInt32
        let reason: Reason
        /// The numbers of the rows that it may have; nil where no number limits them.
        let after: Int64?
        let upTo: Int64?
    }

    /// A row, or an entry of an index, as it is stored.
    struct Entry {
        let rowID: Int64?
        let record: StoredRecord
    }

    /// SQLite makes no deeper trees.
    private static let largestDepth = 20

    private let database: DecryptedPages
    let usableByteCount: Int
    private(set) var visited: Set<UInt32> = []

    init(_ database: DecryptedPages, usableByteCount: Int) {
        self.database = database
        self.usableByteCount = usableByteCount
    }

    /// Calls a function with every entry of a tree, in order.
    ///
    /// - Returns: What could not be read.
    func walk(
        root: UInt32, isIndex: Bool, _ body: (Entry) throws -> Void
    ) throws -> [Loss] {
        var losses: [Loss] = []
        try walk(Place(page: root, depth: 0), isIndex, &losses, body)
        return losses
    }

    /// The entries of a page that no tree leads to. Nothing counts as visited by it, so that it can
    /// be done again.
    func entries(of page: TreePage) throws -> (entries: [Entry], losses: [Loss]) {
        var losses: [Loss] = []
        var entries: [Entry] = []
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index) else {
                losses.append(loss(page.number, .row, nil))
                continue
            }
            if let entry = try entry(cell, page.number, &losses, isOrphan: true) {
                entries.append(entry)
            }
        }
        return (entries, losses)
    }

    func treePage(_ number: UInt32) throws -> TreePage? {
        guard let bytes = try database.page(number) else { return nil }
        return TreePage(bytes, number: number, usableByteCount: usableByteCount)
    }

    private struct Place {
        let page: UInt32
        var after: Int64?
        var upTo: Int64?
        let depth: Int
    }

    private func walk(
        _ place: Place, _ isIndex: Bool, _ losses: inout [Loss], _ body: (Entry) throws -> Void
    ) throws {
        guard place.depth < Self.largestDepth, place.page > 0,
            visited.insert(place.page).inserted,
            let page = try treePage(place.page), page.kind.isIndex == isIndex
        else {
            losses.append(
                Loss(page: place.page, reason: .page, after: place.after, upTo: place.upTo))
            return
        }
        var after = place.after
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index) else {
                losses.append(Loss(page: place.page, reason: .row, after: after, upTo: place.upTo))
                continue
            }
            if let child = cell.child {
                let next = Place(
                    page: child, after: after, upTo: isIndex ? nil : cell.rowID,
                    depth: place.depth + 1)
                try walk(next, isIndex, &losses, body)
            }
            if !isIndex { after = cell.rowID }
            if page.kind != .tableInterior, let entry = try entry(cell, place.page, &losses) {
                try body(entry)
            }
        }
        guard let right = page.rightChild else { return }
        try walk(
            Place(page: right, after: after, upTo: place.upTo, depth: place.depth + 1),
            isIndex, &losses, body)
    }

    // MARK: - Records

    private func entry(
        _ cell: TreePage.Cell, _ page: UInt32, _ losses: inout [Loss], isOrphan: Bool = false
    ) throws -> Entry? {
        guard let payload = cell.payload else { return nil }
        var seen: Set<UInt32> = []
        var bytes = payload.local
        var next = payload.overflow
        while bytes.count < payload.byteCount {
            guard next > 0, !visited.contains(next), seen.insert(next).inserted,
                let part = try database.page(next)
            else {
                losses.append(loss(next == 0 ? page : next, .rest, cell.rowID))
                return nil
            }
            bytes += part[4..<min(usableByteCount, 4 + payload.byteCount - bytes.count)]
            next = part.number32(at: 0)
        }
        if !isOrphan { visited.formUnion(seen) }
        guard let record = StoredRecord(bytes) else {
            losses.append(loss(page, .row, cell.rowID))
            return nil
        }
        return Entry(rowID: cell.rowID, record: record)
    }

    private func loss(_ page: UInt32, _ reason: Loss.Reason, _ rowID: Int64?) -> Loss {
        Loss(page: page, reason: reason, after: rowID.map { $0 &- 1 }, upTo: rowID)
    }
}
