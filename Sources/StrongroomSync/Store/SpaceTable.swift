internal import StrongroomCore
internal import StrongroomSchema

/// A shared table as the merge numbers it, with the SQL that reads and writes its rows.
///
/// Values stand in the order of ``MergeTable/columns``: those of the key first. It is no structure
/// because it is asked for with each row: each copy of one would count all its references.
final class SpaceTable: Sendable {
    /// The number of the table in states.
    let number: Int
    let captured: CapturedTable
    /// The names of the columns in the file, in the order of ``MergeTable/columns``.
    let columns: [String]
    let keyCount: Int
    /// The name in SQL.
    let source: String
    /// For each column its position in masks and hashes; nil for those of the key.
    let positions: [Int?]
    let uniques: [UniqueIndex]
    let references: [ForeignKey]
    /// Whether a value has to be tried in SQLite to know whether it fits.
    let hasChecks: Bool
    let affinities: [ColumnAffinity]
    let notNull: [Bool]
    /// The expressions for columns that older versions do not have, by the numbers of the columns.
    let absent: [Int: String]
    /// The statements that are run for each row.
    let sql: TableSQL
    /// The fields whose values states keep themselves: when the app has changed a row, the projection still has to know
    /// its former unique values and its former place in a tree; counters and extremes are not what one edit wrote.
    let keptFields: Set<Int>

    /// A unique index in SQL.
    struct UniqueIndex: Sendable {
        /// The terms with their collations; those of expressions have no column.
        let terms: [StoredTable.Index.Term]
        let condition: String?
        /// The columns of the terms, as numbers; nil if a term is an expression.
        let columns: [Int]?
    }

    struct ForeignKey: Sendable {
        let columns: [Int]
        /// The collations of the parent's key, by which SQLite compares.
        let collations: [String]
    }

    var stored: StoredTable { captured.table.stored }

    init(
        _ number: Int, _ captured: CapturedTable, _ merge: MergeTable,
        parents: (String) -> StoredTable?
    ) {
        let table = captured.table
        let stored = table.stored
        self.number = number
        self.captured = captured
        keyCount = merge.key.count
        source = "main.\(stored.name.quotedDatabaseIdentifier)"
        let places = merge.columns.map { place -> (name: String, position: Int?) in
            if case .key(let index) = place { return (stored.key[index], nil) }
            let wire = merge.column(at: place).name
            guard let index = table.columns.firstIndex(where: { $0.wireName == wire }) else {
                return (wire, nil)
            }
            return (table.columns[index].name, captured.positions[index])
        }
        let names = places.map(\.name)
        columns = names
        sql = TableSQL(source, names, keyCount: merge.key.count)
        positions = places.map(\.position)
        let numbers = names.numbers
        uniques = table.mergedIndexes.map { index in
            let columns = index.terms.compactMap {
                $0.column.flatMap { numbers[$0.asciiLowercased] }
            }
            return UniqueIndex(
                terms: index.terms, condition: index.condition,
                columns: columns.count == index.terms.count ? columns : nil)
        }
        references = table.sharedReferences(parents).map { key in
            ForeignKey(
                columns: key.columns.compactMap { numbers[$0.asciiLowercased] },
                collations: key.collations)
        }
        keptFields = Self.keptFields(merge)
        var absent: [Int: String] = [:]
        for (number, place) in merge.columns.enumerated()
        where merge.column(at: place).isComputedIfAbsent {
            absent[number] = table.index(of: names[number]).flatMap { table.columns[$0].absentSQL }
        }
        self.absent = absent
        hasChecks = !stored.checks.isEmpty
        affinities = names.map { stored.affinity(of: $0) ?? .none }
        notNull = names.map { name in
            stored.columns.first { $0.name.asciiLowercased == name.asciiLowercased }?.isNotNull
                ?? false
        }
    }

    private static func keptFields(_ merge: MergeTable) -> Set<Int> {
        var columns = merge.uniques.flatMap(\.columns)
        if let acyclic = merge.acyclic { columns += merge.references[acyclic.reference].columns }
        let former = columns.compactMap { column in
            if case .field(let field, _) = merge.columns[column] { field } else { nil as Int? }
        }
        return Set(merge.fields.indices.filter { merge.fields[$0].kind != .latest } + former)
    }

    // MARK: - Rows

    var keyList: String { sql.keyList }

    /// The row of a key; nil if there is none.
    func values(of key: RowKey, _ db: Database) throws -> [CellValue]? {
        var found: [CellValue]?
        try db.forEachRow(
            sql.selection, key.values.map(\.captured), columnCount: columns.count
        ) { found = $0 }
        return found
    }

    func forEachRow(_ db: Database, _ body: ([CellValue]) throws -> Void) throws {
        try db.forEachRow(
            "SELECT \(sql.list) FROM \(source)", [], columnCount: columns.count, body)
    }

    func insert(_ values: [CellValue], _ db: Database, rowNumber: Int64? = nil) throws {
        guard let rowNumber, let name = stored.rowIDName else {
            return try db.run(sql.insertion, values.map(\.captured))
        }
        let marks = (0...columns.count).map { "?\($0 + 1)" }.joined(separator: ", ")
        try db.run(
            "INSERT INTO \(source) (\(name), \(sql.list)) VALUES (\(marks))",
            [.integer(rowNumber)] + values.map(\.captured))
    }

    func delete(_ key: RowKey, _ db: Database) throws {
        try db.run(sql.deletion, key.values.map(\.captured))
    }

    func update(
        _ key: RowKey, _ changed: [Int], _ values: [CellValue], _ db: Database
    ) throws {
        let sets = changed.enumerated().map { index, column in
            "\(sql.names[column]) = ?\(keyCount + index + 1)"
        }.joined(separator: ", ")
        try db.run(
            "UPDATE \(source) SET \(sets) WHERE \(sql.match)",
            key.values.map(\.captured) + changed.map { values[$0].captured })
    }

    /// The hidden number of a row, which full-text indexes of the app may use; nil where it is no number of its own.
    func rowNumber(of key: RowKey, _ db: Database) throws -> Int64? {
        guard let name = stored.rowIDName, !stored.isKeyRowNumber else { return nil }
        var number: Int64?
        try db.forEachRow(
            "SELECT \(name) FROM \(source) WHERE \(sql.match)", key.values.map(\.captured),
            columnCount: 1
        ) { if case .integer(let found) = $0[0] { number = found } }
        return number
    }

    /// The hash that a scan compares (see ``RowScan``).
    func hash(_ values: [CellValue]) -> UInt64 {
        zip(values, positions).reduce(0) { sum, pair in
            pair.1.map { sum &+ RowHash.value(pair.0.captured, at: $0) } ?? sum
        }
    }
}

extension [String] {
    /// The place of each name, with A to Z in lower case.
    fileprivate var numbers: [String: Int] {
        var numbers: [String: Int] = [:]
        for (index, name) in enumerated() { numbers[name.asciiLowercased] = index }
        return numbers
    }
}
