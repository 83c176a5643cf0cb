// Records among the scopes and the prefetched rows of a row. Subscripts trap on what `decode` throws.

extension Row {
    /// Reads the record of a scope, at whatever level.
    ///
    /// - Precondition: There is such a scope, and its row suits the record.
    @inlinable
    public subscript<Record: FetchableRecord>(_ scope: String) -> Record {
        readOrTrap { try decode(Record.self, forKey: scope) }
    }

    /// Reads the record of a scope, at whatever level; nil when there is none, or all is NULL.
    ///
    /// - Precondition: The row suits the record.
    @inlinable
    public subscript<Record: FetchableRecord>(_ scope: String) -> Record? {
        readOrTrap { try decodeIfPresent(Record.self, forKey: scope) }
    }

    /// Reads the records that were prefetched under a key.
    ///
    /// - Precondition: Rows were prefetched under it, and suit the records.
    @inlinable
    public subscript<Records: RangeReplaceableCollection>(_ key: String) -> Records
    where Records.Element: FetchableRecord {
        readOrTrap { try decode(Records.self, forKey: key) }
    }

    /// Reads the records that were prefetched under a key, each distinct one once.
    ///
    /// - Precondition: Rows were prefetched under it, and suit the records.
    @inlinable
    public subscript<Record: FetchableRecord & Hashable>(_ key: String) -> Set<Record> {
        readOrTrap { try decode(Set<Record>.self, forKey: key) }
    }

    /// Reads the record of a scope, at whatever level, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when there is no such scope, or it holds NULL only; what the
    ///   record throws.
    @inlinable
    public func decode<Record: FetchableRecord>(
        _ type: Record.Type = Record.self, forKey scope: String
    ) throws -> Record {
        try Record(row: rowOfScope(scope))
    }

    /// Reads the record of a scope, at whatever level; nil when there is none, or all is NULL.
    ///
    /// - Throws: What the record throws.
    @inlinable
    public func decodeIfPresent<Record: FetchableRecord>(
        _ type: Record.Type = Record.self, forKey scope: String
    ) throws -> Record? {
        guard let row = presentRow(ofScope: scope) else { return nil }
        return try Record(row: row)
    }

    /// Reads the records that were prefetched under a key, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when nothing was prefetched under it; what the records throw.
    @inlinable
    public func decode<Records: RangeReplaceableCollection>(
        _ type: Records.Type = Records.self, forKey key: String
    ) throws -> Records where Records.Element: FetchableRecord {
        let rows = try prefetched(key)
        var records = Records()
        records.reserveCapacity(rows.count)
        for row in rows { records.append(try Records.Element(row: row)) }
        return records
    }

    /// Reads the records that were prefetched under a key, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when nothing was prefetched under it; what the records throw.
    @inlinable
    public func decode<Record: FetchableRecord & Hashable>(
        _ type: Set<Record>.Type = Set<Record>.self, forKey key: String
    ) throws -> Set<Record> {
        try Set(prefetched(key).map { try Record(row: $0) })
    }

    @usableFromInline
    func prefetched(_ key: String) throws -> [Row] {
        guard let rows = prefetchedRows[key] else { throw missing("key for prefetched rows", key) }
        return rows
    }

    /// The row of a scope, at whatever level, that holds anything but NULL.
    @usableFromInline
    func rowOfScope(_ scope: String) throws -> Row {
        guard let row = scopesTree[scope] else { throw missing("scope", scope) }
        guard row.containsNonNullValue else {
            throw RowDecodingError(
                "scope of NULL only: \(String(reflecting: scope))", column: nil, columnIndex: nil,
                row: self)
        }
        return row
    }

    /// The same; nil when there is none, or all is NULL.
    @usableFromInline
    func presentRow(ofScope scope: String) -> Row? {
        guard let row = scopesTree[scope], row.containsNonNullValue else { return nil }
        return row
    }

    private func missing(_ what: String, _ name: String) -> RowDecodingError {
        RowDecodingError(
            "\(what) not found: \(String(reflecting: name))", column: nil, columnIndex: nil,
            row: self)
    }

    @inlinable
    func readOrTrap<T>(_ read: () throws -> T) -> T {
        do {
            return try read()
        } catch {
            trap(error)
        }
    }

    @usableFromInline
    func trap(_ error: any Error) -> Never {
        if let error = error as? RowDecodingError { fatalError(error.description) }
        fatalError("\(error)")
    }
}
