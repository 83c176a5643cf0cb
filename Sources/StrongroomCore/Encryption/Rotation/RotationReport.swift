/// What `DatabaseFile.rotateKey(to:)` wrote and verified.
public struct RotationReport: Sendable, Equatable {
    /// How many pages were re-encrypted.
    public var pageCount: Int
    /// The page size in bytes.
    public var pageSize: Int
    /// How many temporary files of killed rotations were removed.
    public var removedLeftoverCount: Int

    /// What became of the blocks of the old file; nil unless ``DatabaseFile/overwritesOldFile`` was set.
    public var oldBlocks: OldBlocks?

    /// The size of the file.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }
}
