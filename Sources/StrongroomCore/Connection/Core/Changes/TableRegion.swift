/// What is in a region of one table: all its columns and rows, or some.
struct TableRegion: Equatable, Sendable {
    /// The names in lower case, with the names to show; nil for all columns.
    var columns: [String: String]?

    /// nil for all rows.
    var rowIDs: Set<Int64>?

    init(columns: Set<String>?, rowIDs: Set<Int64>?) {
        self.columns = columns.map { columns in
            Dictionary(columns.map { ($0.lowercased(), $0) }, uniquingKeysWith: { name, _ in name })
        }
        self.rowIDs = rowIDs
    }

    /// Some columns of some rows, and others of others, are together all those of all these.
    func union(_ other: TableRegion) -> TableRegion {
        var region = self
        if let columns, let otherColumns = other.columns {
            region.columns = columns.merging(otherColumns) { name, _ in name }
        } else {
            region.columns = nil
        }
        if let rowIDs, let otherRowIDs = other.rowIDs {
            region.rowIDs = rowIDs.union(otherRowIDs)
        } else {
            region.rowIDs = nil
        }
        return region
    }

    func limited(toRows rowIDs: Set<Int64>) -> TableRegion {
        var region = self
        region.rowIDs = self.rowIDs?.intersection(rowIDs) ?? rowIDs
        return region
    }

    func contains(anyColumnOf names: Set<String>) -> Bool {
        guard let columns, !names.isEmpty else { return true }
        return names.contains { columns[$0.lowercased()] != nil }
    }

    func overlaps(_ other: TableRegion) -> Bool {
        if let rowIDs, let otherRowIDs = other.rowIDs, rowIDs.isDisjoint(with: otherRowIDs) {
            return false
        }
        guard let columns, let otherColumns = other.columns else { return true }
        return columns.keys.contains { otherColumns[$0] != nil }
    }

    static func == (lhs: TableRegion, rhs: TableRegion) -> Bool {
        lhs.columns?.keys == rhs.columns?.keys && lhs.rowIDs == rhs.rowIDs
    }
}
