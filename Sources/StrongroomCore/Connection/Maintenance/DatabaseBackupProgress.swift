/// The progress of a backup, in pages of the source.
public struct DatabaseBackupProgress: Sendable {
    /// How many pages remain.
    public let remainingPageCount: Int
    /// How many pages the source has.
    public let totalPageCount: Int
    /// Whether the copy is complete.
    public let isCompleted: Bool

    /// How many pages were copied so far.
    public var completedPageCount: Int { totalPageCount - remainingPageCount }
}
