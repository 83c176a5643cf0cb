public import StrongroomSchema

extension MergePolicy {
    /// The differences of an INTEGER column add up: `MergePolicy.sum` under the name of counters.
    public static let counter = MergePolicy.sum
}

extension ConflictingDeletePolicy {
    /// The row stays, as it was edited: `updateWins` under the name that synchronisation has for it.
    public static let editWins = ConflictingDeletePolicy.updateWins
}

/// Whether concurrent edits of different columns of a row merge.
public struct RowPolicy: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, which files keep.
    public let rawValue: String

    /// Makes a policy of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Each column keeps its latest change.
    public static let cells = RowPolicy(rawValue: "cells")
    /// The row with the latest change holds, with all its columns.
    public static let whole = RowPolicy(rawValue: "whole")
}

/// What holds for rows of several devices that have equal values of a unique index.
public struct UniquePolicy: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, which files keep.
    public let rawValue: String

    /// Makes a policy of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The oldest row is shown; others are kept, and listed as conflicts.
    public static let hold = UniquePolicy(rawValue: "hold")
    /// Rows are shown as one. Not available yet: the check of a schema refuses it.
    public static let merge = UniquePolicy(rawValue: "merge")
    /// Later rows get a number behind the value. Not available yet: the check of a schema refuses it.
    public static let suffix = UniquePolicy(rawValue: "suffix")
}

/// Who makes the keys of rows.
public struct KeyPolicy: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, which files keep.
    public let rawValue: String

    /// Makes a policy of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Keys are random, or mean the same on all devices, such as UUIDs and names.
    public static let random = KeyPolicy(rawValue: "random")
    /// The app gives row numbers that no other device gives.
    public static let application = KeyPolicy(rawValue: "application")
    /// Each device keeps its own numbers. Not available yet: the check of a schema refuses it.
    public static let mapped = KeyPolicy(rawValue: "mapped")
}
