/// How far a backup has come, in pages of the source.
public struct DatabaseBackupProgress: Sendable {
    /// The pages still to be copied.
    public let remainingPageCount: Int
    /// All pages of the source.
    public let totalPageCount: Int
    /// Whether the copy is whole.
    public let isCompleted: Bool

    /// The pages copied so far.
    public var completedPageCount: Int { totalPageCount - remainingPageCount }
}
