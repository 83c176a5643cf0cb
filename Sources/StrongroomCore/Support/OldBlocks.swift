/// What became of the blocks of a file that another one has replaced.
///
/// They hold old ciphertext. Flash memory may keep copies of what was overwritten, and so do snapshots:
/// what counts is that no copy of the old key remains.
public enum OldBlocks: Sendable, Equatable {
    /// They were overwritten, and the disk has confirmed it.
    case overwritten
    /// They were left, because the file system writes new data elsewhere; with its name, if it is known.
    case left(fileSystem: String)
    /// Overwriting them failed, for this reason.
    case failed(String)
}
