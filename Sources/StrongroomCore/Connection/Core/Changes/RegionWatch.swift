/// Somebody who wants to know of every commit that changes something in a region.
///
/// It is used on the executor of the connection that it is added to, like the connection.
package final class RegionWatch {
    /// What is watched; to be changed by `Database.update(_:to:)`.
    package fileprivate(set) var region: DatabaseRegion

    /// Called after the commit, outside of any transaction.
    private(set) var didCommit: (Database) -> Void

    /// Called next, in a transaction that several watches may share. It gives what is to be done
    /// when that has ended, if anything.
    private(set) var read: ((Database) -> (() -> Void)?)?

    /// Its place in the order in which watches were added, in which they are told.
    fileprivate(set) var place = 0

    /// Whether the open transaction has changed something in the region.
    var isTouched = false

    /// Set while changes do not count, because it makes them itself.
    package var isMuted = false

    package init(
        region: DatabaseRegion, didCommit: @escaping (Database) -> Void,
        read: ((Database) -> (() -> Void)?)? = nil
    ) {
        self.region = region
        self.read = read
        self.didCommit = didCommit
    }

    /// Lets go of what the function holds. Statements in the cache may know the watch for long, and
    /// the function holds their database.
    func end() {
        didCommit = { _ in }
        read = nil
    }
}

/// Watches, found by what changes: a row that one of a thousand watches is found at once.
struct WatchIndex {
    /// The watches of a table.
    final class Table {
        /// Those of all rows.
        var ofAllRows: [RegionWatch] = []
        /// Those of some rows, by the ids of these.
        var ofRows: [Int64: [RegionWatch]] = [:]
    }

    private(set) var everything: [RegionWatch] = []
    private var tables: [String: Table] = [:]
    private(set) var all: [ObjectIdentifier: RegionWatch] = [:]

    /// The place of the watch that is added next.
    private var nextPlace = 0

    /// Another number after each change.
    private(set) var generation = 0

    var isEmpty: Bool { all.isEmpty }

    func table(_ name: String) -> Table? {
        tables.isEmpty ? nil : tables[name.lowercased()]
    }

    /// Has what statements know of their observers found again.
    mutating func noteChange() {
        generation += 1
    }

    mutating func add(_ watch: RegionWatch) {
        generation += 1
        watch.place = nextPlace
        nextPlace += 1
        all[ObjectIdentifier(watch)] = watch
        enter(watch)
    }

    mutating func remove(_ watch: RegionWatch) {
        guard all.removeValue(forKey: ObjectIdentifier(watch)) != nil else { return }
        generation += 1
        leave(watch)
    }

    mutating func update(_ watch: RegionWatch, to region: DatabaseRegion) {
        guard watch.region != region else { return }
        let isAdded = all[ObjectIdentifier(watch)] != nil
        if isAdded {
            generation += 1
            leave(watch)
        }
        watch.region = region
        if isAdded { enter(watch) }
    }

    private mutating func enter(_ watch: RegionWatch) {
        guard let regions = watch.region.tables else {
            everything.append(watch)
            return
        }
        for (name, region) in regions {
            let table = tables[name] ?? Table()
            tables[name] = table
            guard let rowIDs = region.rowIDs else {
                table.ofAllRows.append(watch)
                continue
            }
            for rowID in rowIDs { table.ofRows[rowID, default: []].append(watch) }
        }
    }

    private mutating func leave(_ watch: RegionWatch) {
        guard let regions = watch.region.tables else {
            everything.removeAll { $0 === watch }
            return
        }
        for (name, region) in regions {
            guard let table = tables[name] else { continue }
            if let rowIDs = region.rowIDs {
                for rowID in rowIDs {
                    table.ofRows[rowID]?.removeAll { $0 === watch }
                    if table.ofRows[rowID]?.isEmpty == true { table.ofRows[rowID] = nil }
                }
            } else {
                table.ofAllRows.removeAll { $0 === watch }
            }
            if table.ofAllRows.isEmpty, table.ofRows.isEmpty { tables[name] = nil }
        }
    }
}
