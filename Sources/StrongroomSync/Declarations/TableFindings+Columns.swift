internal import StrongroomCore
internal import StrongroomSchema

// Policies of columns.

extension TableFindings {
    /// Policies of the contract that a later version has.
    private static let later: Set<String> = ["union", "set", "resolved", "manual", "asset"]

    mutating func checkColumnPolicies() {
        for (name, policy) in declaration.merge.sorted(by: { $0.key < $1.key }) {
            guard let column = column(name) else { continue }
            switch policy {
            case .latest: break
            case .sum: checkCounter(column)
            case .maximum, .minimum: checkExtreme(column, policy)
            case _ where Self.later.contains(policy.rawValue):
                refuseForNow(
                    name, "merge: .\(policy.rawValue)",
                    "use .latest, .counter, .maximum or .minimum")
            default:
                refuse(
                    .unknownPolicy, name, "merge: \(policy.rawValue) is no policy",
                    "use .latest, .counter, .maximum or .minimum")
            }
        }
        let merge = declaration.merge.byLowercasedName
        for name in declaration.clamp.keys.sorted()
        where merge[name.asciiLowercased] != .sum && column(name) != nil {
            refuse(
                .unsuitableColumn, name, "clamp: is for counters",
                "remove it, or declare merge: [\"\(name)\": .counter]")
        }
    }

    private mutating func checkCounter(_ column: StoredTable.Column) {
        let name = column.name
        guard !isKey(name), !isReference(name) else { return refuseKey(name, "a counter") }
        guard table.stored.affinity(of: name) == .integer else {
            return refuse(
                .unsuitableColumn, name,
                "a counter adds integers up, and the column is not declared INTEGER",
                "declare the column INTEGER, or use .latest, .maximum or .minimum")
        }
        if isGrouped(name), declaration.clamp.byLowercasedName[name.asciiLowercased] == nil {
            refuse(
                .groupedColumn, name,
                "a CHECK or a group has the counter, and sums from several devices may break it",
                "give bounds for what is shown: clamp: [\"\(name)\": 0...100]")
        }
        if isInGroup(name) {
            refuse(
                .groupedColumn, name,
                "the counter merges on its own, and a group, or row: .whole, as one value",
                "take the column out of groups:, and use row: .cells")
        }
    }

    private mutating func checkExtreme(_ column: StoredTable.Column, _ policy: MergePolicy) {
        let name = column.name
        guard !isKey(name), !isReference(name) else {
            return refuseKey(name, ".\(policy.rawValue)")
        }
        guard let place = table.index(of: name) else { return }
        if table.groups.contains(where: { $0.contains(place) }) {
            refuse(
                .groupedColumn, name,
                ".\(policy.rawValue) merges a column on its own, and a CHECK over several columns,"
                    + " a group, or row: .whole, as one value",
                "use .latest, or take the column out of the CHECK or the group")
        }
    }

    private mutating func refuseKey(_ name: String, _ what: String) {
        refuse(
            .unsuitableColumn, name, "\(what) cannot identify rows or refer to them",
            "remove merge: for the column")
    }

    private func isReference(_ name: String) -> Bool {
        table.foreignKeys.contains { key in
            key.columns.contains { $0.asciiLowercased == name.asciiLowercased }
        }
    }

    /// Whether a CHECK names the column, be it the only one.
    private func isGrouped(_ name: String) -> Bool {
        table.stored.checkedColumns.contains { $0.contains(name.asciiLowercased) }
    }

    /// Whether the declaration puts the column into a group.
    private func isInGroup(_ name: String) -> Bool {
        let name = name.asciiLowercased
        return declaration.row == .whole
            || declaration.groups.contains { $0.contains { $0.asciiLowercased == name } }
    }

    mutating func checkGroups() {
        for group in declaration.groups {
            if Set(group.map(\.asciiLowercased)).count < 2 {
                refuse(
                    .unknownPolicy, group.first, "a group needs two columns or more",
                    "name the other columns, or remove the group")
            }
            for name in group.sorted() where isKey(name) {
                refuse(
                    .unsuitableColumn, name, "columns of the key are in no group",
                    "remove the column from groups:")
            }
        }
    }
}
