/// What a statement inserts.
enum InsertSource: Sendable {
    /// Rows that write plain values into the same columns.
    case plain(PlainRows)
    case batches([InsertBatch])

    init(_ rows: consuming [InsertedRow], _ layout: TableLayout) {
        if let plain = InsertedRow.plainRows(of: rows) {
            self = .plain(plain)
        } else {
            self = .batches(Self.batches(rows, layout))
        }
    }

    /// Rows that write the same columns, in batches: SQLite runs a statement for each.
    func batches(_ layout: TableLayout) -> [InsertBatch] {
        switch self {
        case .batches(let batches): return batches
        case .plain(let rows):
            let source = InsertBatch.Source.values(rows.values, hasMoments: rows.hasMoments)
            return [InsertBatch(names: Self.names(of: rows.written, layout), source: source)]
        }
    }

    /// The values of a row, if it is the only one, and has nothing but plain values.
    var singleRow: [QueryBinding]? {
        switch self {
        case .plain(let rows): return rows.count == 1 ? rows.values : nil
        case .batches(let batches):
            guard batches.count == 1, case .values(let values, _) = batches[0].source,
                values.count == batches[0].names.count
            else { return nil }
            return values
        }
    }

    /// The columns that the first row writes.
    func names(_ layout: TableLayout) -> [String] {
        switch self {
        case .plain(let rows): Self.names(of: rows.written, layout)
        case .batches(let batches): batches.first?.names ?? []
        }
    }

    private static func names(of written: [Bool], _ layout: TableLayout) -> [String] {
        if written == layout.isWritable { return layout.writableNames }
        return zip(layout.columns, written).filter(\.1).map(\.0.name)
    }
}

// MARK: - Batches

extension InsertSource {
    private static func batches(_ rows: [InsertedRow], _ layout: TableLayout) -> [InsertBatch] {
        let rows =
            rows.contains { $0.plainRows != nil } ? rows.flatMap(\.singleRows) : rows
        var batches: [InsertBatch] = []
        var start = 0
        while start < rows.count {
            let written = rows[start].written(layout.isWritable)
            // A row of which the database gives all values has a statement of its own.
            var end = start + 1
            while end < rows.count, written.contains(true),
                rows[end].writes(written, layout.isWritable)
            {
                end += 1
            }
            batches.append(batch(rows[start..<end], written, layout))
            start = end
        }
        return batches
    }

    private static func batch(
        _ rows: ArraySlice<InsertedRow>, _ written: [Bool], _ layout: TableLayout
    ) -> InsertBatch {
        let names = names(of: written, layout)
        if names.isEmpty { return InsertBatch(names: names, source: .defaults) }
        let source = values(rows, written, count: names.count)
        return InsertBatch(names: names, source: source ?? .rows(rows.map { $0.tuple(written) }))
    }

    /// Rows that consist of plain values; nil for others.
    private static func values(
        _ rows: ArraySlice<InsertedRow>, _ written: [Bool], count: Int
    ) -> InsertBatch.Source? {
        var values: [QueryBinding] = []
        var hasMoments = false
        values.reserveCapacity(rows.count * count)
        for row in rows {
            guard row.append(written, to: &values, &hasMoments) else { return nil }
        }
        return .values(values, hasMoments: hasMoments)
    }
}
