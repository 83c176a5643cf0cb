internal import StrongroomCore
internal import StrongroomEssentials
internal import StrongroomSchema

/// How a table merges, as all devices must have it: without it, two devices would make two values
/// of the same changes.
///
/// Names are the first ones, so that a rename changes nothing.
package struct TablePolicySet: Sendable, Hashable, Codable {
    /// The first name of the table.
    package var table: String
    /// The first names of the key's columns.
    package var key: [String]
    /// What holds for the table, by the name of the policy.
    package var policies: [String: String]
    /// The policies of columns, by their first names. Other devices may have more columns, or fewer.
    package var columns: [String: String]

    /// A policy that two devices have differently.
    package struct Mismatch: Sendable, Hashable, CustomStringConvertible {
        package let table: String
        package let column: String?
        package let mine: String
        package let theirs: String

        package var description: String {
            let place = column.map { "\(table).\($0)" } ?? table
            return "\(place): \(mine) here, \(theirs) there"
        }
    }

    /// The SHA-256 of all of it, as 64 hexadecimal digits.
    package var fingerprint: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let text = try encoder.encode(self)
            return try text.withUnsafeBytes { try ContentDigest(of: $0).hexadecimal }
        }
    }

    /// What differs from the policies of another device. Columns that one of both lacks do not.
    package func mismatches(with other: TablePolicySet) -> [Mismatch] {
        func mismatch(_ column: String?, _ mine: String?, _ theirs: String?) -> Mismatch? {
            guard mine != theirs else { return nil }
            return Mismatch(
                table: table, column: column, mine: mine ?? "none", theirs: theirs ?? "none")
        }
        var found = [
            mismatch(
                nil, "key: " + key.joined(separator: ", "),
                "key: " + other.key.joined(separator: ", "))
        ]
        for name in Set(policies.keys).union(other.policies.keys).sorted() {
            found.append(
                mismatch(
                    nil, policies[name].map { "\(name): \($0)" },
                    other.policies[name].map { "\(name): \($0)" }))
        }
        for (name, mine) in columns.sorted(by: { $0.key < $1.key }) {
            guard let theirs = other.columns[name] else { continue }
            found.append(mismatch(name, mine, theirs))
        }
        return found.compactMap(\.self)
    }
}

extension SharedTable {
    /// How the table merges.
    package var policySet: TablePolicySet {
        func wireName(_ name: String) -> String {
            index(of: name).map { self.columns[$0].wireName } ?? name.asciiLowercased
        }
        var columns: [String: String] = [:]
        for column in self.columns {
            let bounds = column.clamp.map { " \($0.lowerBound)...\($0.upperBound)" } ?? ""
            columns[column.wireName] = column.merge.rawValue + bounds
        }
        for group in groups {
            let names = group.map { self.columns[$0].wireName }.sorted()
            for place in group {
                let name = self.columns[place].wireName
                columns[name, default: ""] += " with " + names.joined(separator: ", ")
            }
        }
        var policies = [
            "acyclic": declaration.acyclic.map(wireName).sorted().joined(separator: ", "),
            "onConflictingDelete": declaration.onConflictingDelete.rawValue,
            "row": declaration.row.rawValue,
        ]
        if declaration.isPrivate { policies["private"] = "yes" }
        return TablePolicySet(
            table: self.wireName, key: keyWireNames, policies: policies, columns: columns)
    }
}
