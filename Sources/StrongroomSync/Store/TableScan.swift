internal import StrongroomCore
internal import StrongroomSchema

/// A shared table whose rows have to be read, because they may have been written without notes.
struct TableScan: Sendable {
    let captured: CapturedTable
    /// The number of the table in states.
    let table: Int
    var progress: ScanProgress

    /// The scans that slices have begun with and that the file remembers, in the order in which they are done.
    static func begun(
        _ db: Database, _ captured: [CapturedTable], _ space: SpaceSchema
    ) throws -> [TableScan] {
        try all(captured, space).compactMap { table, number in
            guard let progress = try ScanProgress.load(db, number: table.number),
                progress.isFirst
            else { return nil }
            return TableScan(captured: table, table: number, progress: progress)
        }
    }

    /// What a start has to do.
    ///
    /// Tables that were never shown here are taken slice by slice, if that is more than one unit of changes. The others
    /// are compared: what was merged of them must not be shown before all of their rows are noted.
    ///
    /// - Returns: Both kinds, in the order in which they are done.
    static func plan(
        _ db: Database, _ captured: [CapturedTable], _ space: SpaceSchema, atomicLimit: Int
    ) throws -> (taken: [TableScan], compared: [TableScan]) {
        var (taken, compared): ([TableScan], [TableScan]) = ([], [])
        var new: [TableScan] = []
        for (table, number) in try all(captured, space) {
            let progress = try ScanProgress.load(db, number: table.number)
            if let progress {
                let scan = TableScan(captured: table, table: number, progress: progress)
                if progress.isFirst { taken.append(scan) } else { compared.append(scan) }
            } else if table.scan == .new, try isNew(db, number) {
                let schema = space.tableFingerprints[number]?.bytes ?? []
                new.append(
                    TableScan(
                        captured: table, table: number,
                        progress: ScanProgress(.taking, schema: schema)))
            } else {
                compared.append(
                    TableScan(captured: table, table: number, progress: ScanProgress(.comparing)))
            }
        }
        if try taken.isEmpty && !isMore(than: atomicLimit, in: new, db) {
            compared += new.map {
                TableScan(
                    captured: $0.captured, table: $0.table, progress: ScanProgress(.comparing))
            }
        } else {
            for scan in new { try scan.progress.save(db, number: scan.captured.number) }
            taken += new
        }
        return (taken, compared)
    }

    /// Whether nothing was ever shown in a table.
    private static func isNew(_ db: Database, _ table: Int) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (
                    SELECT 1 FROM main.strongroom_sync_row WHERE tbl = ? AND status > 0)
                """, arguments: [table]) ?? true
    }

    private static func isMore(
        than limit: Int, in scans: [TableScan], _ db: Database
    ) throws -> Bool {
        var left = limit
        for scan in scans where left >= 0 {
            let name = scan.captured.table.stored.name.quotedDatabaseIdentifier
            left -=
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM (SELECT 1 FROM main.\(name) LIMIT ?)",
                    arguments: [left + 1]) ?? 0
        }
        return left < 0
    }

    /// The tables that are to be scanned, parents first, as far as they do not refer to each other.
    private static func all(
        _ captured: [CapturedTable], _ space: SpaceSchema
    ) throws -> [(CapturedTable, Int)] {
        let pending = captured.filter { $0.scan != nil && $0.scan?.isResting != true }
        guard !pending.isEmpty else { return [] }
        let places = Dictionary(uniqueKeysWithValues: pending.map { ($0.number, $0) })
        return space.parentsFirst.compactMap { number in
            guard let table = space.tables[number]?.captured, let found = places[table.number]
            else { return nil }
            return (found, number)
        }
    }
}

extension SpaceSchema {
    /// The numbers of the tables that are here, each after those that its foreign keys name, as far as they do not name
    /// each other.
    var parentsFirst: [Int] {
        var (seen, order) = (Set<Int>(), [Int]())
        func visit(_ table: Int) {
            guard seen.insert(table).inserted else { return }
            for reference in merge[table].references { visit(reference.parent) }
            if tables[table] != nil { order.append(table) }
        }
        for number in tables.keys.sorted() { visit(number) }
        return order
    }
}
