/// What `DatabaseFile.rotateKey(to:)` has written and verified.
public struct RotationReport: Sendable, Equatable {
    /// How many pages were encrypted again.
    public var pageCount: Int
    /// How many bytes a page has.
    public var pageSize: Int
    /// Temporary files of earlier rotations that were killed; they are removed now.
    public var removedLeftoverCount: Int

    /// The size of the file.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }
}
