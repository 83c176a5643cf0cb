/// Reads the tables of a damaged database page by page, and writes their rows into a new one.
final class RowSalvage {
    private let diagnosed: DiagnosedFile
    private let destination: Database
    private let operation: LongOperation
    private let database: DecryptedPages
    private let reader: TreeReader
    /// Page 1 in plaintext, if it is to be had.
    private let header: [UInt8]?
    private var schema: StoredSchema
    private let writer: RowWriter
    private var report = SalvageReport(method: .rows)
    private var tables: [SalvagedTable] = []
    /// What of each tree could not be read, by its root.
    private var lostTrees: [UInt32: [TreeReader.Loss]] = [:]
    private var free: FreePages?
    private var rowsSinceReport = 0

    init(_ diagnosed: DiagnosedFile, into destination: Database, _ operation: LongOperation) throws
    {
        self.diagnosed = diagnosed
        self.destination = destination
        self.operation = operation
        database = try diagnosed.decryptedPages()
        header = try database.page(1)
        let reserve = header.map { Int($0[20]) } ?? 0
        let needed = diagnosed.keys.first?.settings.reserveByteCount ?? 0
        reader = TreeReader(
            database, usableByteCount: database.pageSize - max(reserve, needed))
        let encoding = header.map { Int($0.number32(at: 56)) } ?? 1
        schema = StoredSchema(encoding: (1...3).contains(encoding) ? encoding : 1)
        writer = RowWriter(destination, encoding: schema.encoding)
    }

    func run() throws -> SalvageReport {
        let total = Int64(diagnosed.pageCount) * Int64(database.pageSize)
        try operation.begin(.copying, totalByteCount: total)
        if let header { free = try FreePages(of: database, header: header) }
        try readSchema()
        try prepareHeader()
        try destination.setDefensive(true)
        try destination.run("BEGIN IMMEDIATE")
        try createTables()
        for table in tables { try copyRows(of: table) }
        if !lostTrees.isEmpty || !report.notes.isEmpty { try copyOrphans() }
        try createIndexes()
        try destination.withWritableSchema {
            try enterOthers()
            try restoreVersions()
        }
        try destination.run("COMMIT")
        if header?[19] == 2 { try destination.run("PRAGMA main.journal_mode = WAL") }
        return report
    }

    // MARK: - Definitions

    private func readSchema() throws {
        let losses = try reader.walk(root: 1, isIndex: false) { schema.add($0.record) }
        guard !losses.isEmpty else { return }
        lostTrees[1] = losses
        report.notes.append(
            header == nil
                ? "page 1 is lost, and with it the settings of the database and definitions"
                : "definitions are lost: those of some tables or indexes, and their rows")
        // Definitions on pages to which a lost page leads.
        try forEachOrphan { page, entries in
            let items = entries.compactMap {
                StoredSchema.item($0.record, encoding: schema.encoding)
            }
            guard page.kind == .tableLeaf, items.count == entries.count,
                items.contains(where: { $0.sql?.hasPrefix("CREATE ") == true })
            else { return }
            for entry in entries { schema.add(entry.record) }
        }
    }

    private func prepareHeader() throws {
        let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
        try destination.run("PRAGMA main.encoding = '\(encodings[schema.encoding - 1])'")
        if let header {
            let isAutomatic = header.number32(at: 52) > 0
            let isIncremental = header.number32(at: 64) > 0
            try destination.run(
                "PRAGMA main.auto_vacuum = \(isAutomatic ? isIncremental ? 2 : 1 : 0)")
            let cacheSize = Int32(bitPattern: header.number32(at: 48))
            if cacheSize > 0 {
                try destination.run("PRAGMA main.default_cache_size = \(cacheSize)")
            }
        }
        try destination.run(
            "PRAGMA main.journal_mode = OFF; PRAGMA ignore_check_constraints = ON")
    }

    private func createTables() throws {
        for item in schema.tables {
            do {
                if item.name == "sqlite_sequence" {
                    try destination.createSequenceTable()
                } else {
                    let definition = DefinedName(.table, item.name, table: item.tableName)
                    try destination.define(definition, by: item.sql ?? "")
                }
                tables.append(try SalvagedTable(item, in: destination))
            } catch let error as DatabaseError {
                report.notes.append(
                    "table \(item.name) could not be created again: \(error.message ?? "")")
            }
        }
    }

    // MARK: - Rows

    private func copyRows(of table: SalvagedTable) throws {
        // What creating and filling the other tables has left there.
        if table.name.hasPrefix("sqlite_") {
            try destination.run("DELETE FROM main.\(table.name.quotedDatabaseIdentifier)")
        }
        var saved = SalvageReport.Table(name: table.name, rowCount: 0)
        let losses = try reader.walk(root: table.root, isIndex: table.isWithoutRowID) { entry in
            try insert(entry, into: table, &saved)
        }
        saved.losses = losses.map(SalvageReport.Loss.init)
        report.tables.append(saved)
        if losses.contains(where: { $0.reason == .page }) { lostTrees[table.root] = losses }
    }

    private func insert(
        _ entry: TreeReader.Entry, into table: SalvagedTable, _ saved: inout SalvageReport.Table
    ) throws {
        try countRow()
        let sql = table.insertion(valueCount: entry.record.values.count)
        if let values = table.arguments(entry), try writer.insert(sql, values) {
            saved.rowCount += 1
        } else {
            saved.refusedRowCount += 1
        }
    }

    private func countRow() throws {
        rowsSinceReport += 1
        guard rowsSinceReport % 256 == 0 else { return }
        try operation.advance(to: Int64(reader.visited.count) * Int64(database.pageSize))
    }

    // MARK: - Pages to which lost pages led

    /// Calls a function with each page of a tree that no tree leads to, and what is on it.
    private func forEachOrphan(
        _ body: (TreePage, [TreeReader.Entry]) throws -> Void
    ) throws {
        let usable = UInt32(reader.usableByteCount)
        let hasMap = header.map { $0.number32(at: 52) > 0 } ?? false
        let inFile = 2...max(2, database.pages.pageCount)
        for number in [AnySequence(inFile), AnySequence(database.pagesBehindFile)].joined() {
            guard !reader.visited.contains(number), free?.pages.contains(number) != true,
                // Pages that say where others belong, in a database with auto_vacuum.
                // <https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>
                !hasMap || (number - 2) % (usable / 5 + 1) != 0,
                let page = try reader.treePage(number), page.kind != .tableInterior,
                page.cellCount > 0
            else { continue }
            let (entries, losses) = try reader.entries(of: page)
            // A page of another sort may look like one of a tree, but hardly to its end.
            guard losses.allSatisfy({ $0.reason == .rest }), !entries.isEmpty else { continue }
            try body(page, entries)
        }
    }

    private func copyOrphans() throws {
        for item in schema.indexes {
            let losses = try reader.walk(root: item.root, isIndex: true) { _ in }
            if losses.contains(where: { $0.reason == .page }) { lostTrees[item.root] = losses }
        }
        let hasLostIndex = schema.indexes.contains { lostTrees[$0.root] != nil }
        let isUnsure = free?.isComplete != true
        var strays: [UInt32] = []
        try forEachOrphan { page, entries in
            if let index = owner(of: entries, page.kind.isIndex) {
                if isUnsure || (page.kind.isIndex && hasLostIndex) {
                    return strays.append(page.number)
                }
                let table = tables[index]
                for entry in entries { try insert(entry, into: table, &report.tables[index]) }
            } else if !page.kind.isIndex || !hasLostIndex {
                strays.append(page.number)
            }
        }
        guard !strays.isEmpty else { return }
        let writing = StrayRows(destination, reader: reader, writer: writer)
        (report.strayTable, report.strayRowCount) = try writing.write(pages: strays)
    }

    /// The table, by its place, that has lost a part to which these rows fit; nil if none has, or
    /// more than one.
    private func owner(of entries: [TreeReader.Entry], _ isIndex: Bool) -> Int? {
        let candidates = tables.indices.filter { index in
            let table = tables[index]
            guard table.isWithoutRowID == isIndex, let losses = lostTrees[table.root],
                entries.allSatisfy(table.mayHave)
            else { return false }
            let ids = entries.compactMap(\.rowID)
            return losses.contains { loss in
                loss.reason == .page
                    && ids.allSatisfy { $0 > loss.after ?? .min && $0 <= loss.upTo ?? .max }
            }
        }
        return candidates.count == 1 ? candidates[0] : nil
    }

    // MARK: - Everything else

    private func createIndexes() throws {
        for item in schema.indexes {
            guard let sql = item.sql else { continue }
            do {
                let definition = DefinedName(.index, item.name, table: item.tableName)
                try operation.watching(destination) { try destination.define(definition, by: sql) }
            } catch let error as DatabaseError where !operation.isStopped {
                report.notes.append(
                    "index \(item.name) could not be built again: \(error.message ?? "")")
            }
        }
    }

    private func enterOthers() throws {
        let sql = """
            INSERT INTO main.sqlite_master (type, name, tbl_name, rootpage, sql)
            VALUES (?, ?, ?, 0, ?)
            """
        try destination.hooks.beyondLimits {
            for item in schema.others {
                try destination.execute(
                    sql: sql, arguments: [item.kind.rawValue, item.name, item.tableName, item.sql])
            }
        }
    }

    private func restoreVersions() throws {
        guard let header else { return }
        try destination.run(
            """
            PRAGMA main.user_version = \(Int32(bitPattern: header.number32(at: 60)));
            PRAGMA main.application_id = \(Int32(bitPattern: header.number32(at: 68)));
            PRAGMA main.schema_version = \(Int32(bitPattern: header.number32(at: 40)))
            """)
    }
}

extension SalvageReport.Loss {
    init(_ loss: TreeReader.Loss) {
        page = Int(loss.page)
        guard loss.after != nil || loss.upTo != nil else { return }
        let first = loss.after.map { $0 &+ 1 } ?? .min
        rowIDs = first...max(first, loss.upTo ?? .max)
    }
}
