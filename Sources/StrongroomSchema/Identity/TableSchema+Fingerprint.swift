internal import StrongroomCore

extension TableSchema.Column {
    /// A name that stays the same when the column is renamed.
    ///
    /// It is ``ColumnPolicies/renamedFrom``, or else the name, with the letters A to Z in lower case.
    public var stableName: String { (policies.renamedFrom ?? name).asciiLowercased }
}

extension TableSchema {
    /// A name that stays the same when the table is renamed.
    ///
    /// It is ``TablePolicies/renamedFrom``, or else the name, with the letters A to Z in lower case.
    /// The schema of an attached database is no part of it.
    public var stableName: String { (policies.renamedFrom ?? name).asciiLowercased }

    /// The SHA-256 of what the table stores, as 64 hexadecimal digits.
    ///
    ///     let isSame = try Item.schema.fingerprint == fingerprintOfTheServer
    ///
    /// It changes when a stored column is added or removed, gets another name in the file, another
    /// affinity, optionality or place in the key, or when a policy changes. For dates and UUIDs it
    /// changes with their representation, which makes other values of the same affinity.
    ///
    /// It does not depend on the order of the columns, the case of their letters, Swift names and
    /// types, defaults, columns that the database computes, the name of the table, nor on
    /// representations of your own that keep the affinity.
    ///
    /// - Throws: `DatabaseError` when libcrypto fails.
    public var fingerprint: String {
        get throws {
            let stored = columns.filter { !$0.isGenerated }.map(\.identity).sorted()
            let table = [
                "strongroom table 1", policies.onConflictingDelete?.rawValue ?? "",
                policies.renamedFrom?.asciiLowercased ?? "",
            ]
            // Each part with its length: what follows cannot be taken for a part of it.
            let text = Self.joined(table + stored)
            return try Array(text.utf8).withUnsafeBytes { try ContentDigest(of: $0).hexadecimal }
        }
    }

    fileprivate static func joined(_ parts: [String]) -> String {
        parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}

extension TableSchema.Column {
    fileprivate var identity: String {
        TableSchema.joined([
            name.asciiLowercased, affinity.rawValue, isOptional ? "NULL" : "",
            keyPosition.map(String.init) ?? "", form ?? "", policies.merge?.rawValue ?? "",
            policies.isOwner ? "owner" : "", policies.renamedFrom?.asciiLowercased ?? "",
        ])
    }

    /// The representation, where it makes other values of the same affinity.
    private var form: String? {
        guard let representation else { return nil }
        return ["Date.", "UUID."].contains(where: representation.hasPrefix) ? representation : nil
    }
}
