// What a declaration asks of later layers, such as synchronisation. Nothing here changes what this
// library does.

/// How two changes of one column, made in two places, become one.
///
/// This library keeps it in ``TableSchema`` and does nothing with it. Other modules add their own:
///
///     extension MergePolicy { static let longest = MergePolicy(rawValue: "longest") }
public struct MergePolicy: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, which files keep.
    public let rawValue: String

    /// Makes a policy of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The later change holds.
    public static let latest = MergePolicy(rawValue: "latest")
    /// The differences of a number add up.
    public static let sum = MergePolicy(rawValue: "sum")
    /// The greater value holds, in SQLite's order of values.
    public static let maximum = MergePolicy(rawValue: "maximum")
    /// The smaller value holds, in SQLite's order of values.
    public static let minimum = MergePolicy(rawValue: "minimum")
    /// The elements of both hold.
    public static let union = MergePolicy(rawValue: "union")
}

/// What holds when a row is deleted in one place and changed in another.
///
/// This library keeps it in ``TableSchema`` and does nothing with it.
public struct ConflictingDeletePolicy: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, which files keep.
    public let rawValue: String

    /// Makes a policy of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The row is deleted.
    public static let deleteWins = ConflictingDeletePolicy(rawValue: "deleteWins")
    /// The row stays, as it was changed.
    public static let updateWins = ConflictingDeletePolicy(rawValue: "updateWins")
}

/// What `@Column` asks of later layers.
public struct ColumnPolicies: Sendable, Hashable {
    /// How two changes of the column become one.
    public var merge: MergePolicy?
    /// Whether the column names the owner of the row.
    public var isOwner: Bool
    /// The first name that the column had in files.
    public var renamedFrom: String?

    /// Makes policies; without arguments, none.
    public init(merge: MergePolicy? = nil, owner: Bool = false, renamedFrom: String? = nil) {
        self.merge = merge
        isOwner = owner
        self.renamedFrom = renamedFrom
    }
}

/// What `@Table` asks of later layers.
public struct TablePolicies: Sendable, Hashable {
    /// What holds when a row is deleted in one place and changed in another.
    public var onConflictingDelete: ConflictingDeletePolicy?
    /// The first name that the table had in files.
    public var renamedFrom: String?

    /// Makes policies; without arguments, none.
    public init(
        onConflictingDelete: ConflictingDeletePolicy? = nil, renamedFrom: String? = nil
    ) {
        self.onConflictingDelete = onConflictingDelete
        self.renamedFrom = renamedFrom
    }
}
