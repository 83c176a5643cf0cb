/// The system calls on names in a folder that is held open, as a table that tests may change.
///
/// 1. A name is one component, and a link under that name is never followed: an attacker who
///    exchanges a folder or a file for a link cannot lead a call somewhere else.
package struct FolderCalls: Sendable {
    package typealias Descriptor = FileSystem.Descriptor

    /// Opens a folder by its path, where links are followed.
    package var open: @Sendable (_ path: String) throws(SystemError) -> Descriptor
    /// Opens a folder in a folder.
    package var openFolder: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Makes a folder that others may not look into.
    package var makeFolder: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Void
    /// The names in a folder.
    package var names: @Sendable (Descriptor) throws(SystemError) -> [String]
    /// The status of a name itself, also if it is a link; nil if the name is free.
    package var status: @Sendable (Descriptor, _ name: String) throws(SystemError) -> FileStatus?
    /// Creates a file that other users may not read; fails if the name is taken.
    package var create: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Opens a file for reading; does not wait for a pipe.
    package var openForReading:
        @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Opens an existing file for reading and writing; does not wait for a pipe.
    package var openExisting:
        @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Opens a file for reading and writing, and creates it where the name is free.
    package var openOrCreate:
        @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Holds what stands under a name without opening it; nil where the system cannot.
    package var pin: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor?
    /// What a link says that is held by ``pin``.
    package var linkTarget: @Sendable (Descriptor) throws(SystemError) -> String
    /// Moves a file to a name of another folder, or of the same; a file of that name is replaced.
    package var rename:
        @Sendable (Descriptor, _ name: String, Descriptor, _ newName: String)
            throws(SystemError) -> Void
    /// Gives a file a name of the same folder that is free; `EEXIST` if it is not.
    package var renameToFreeName:
        @Sendable (Descriptor, _ name: String, _ newName: String) throws(SystemError) -> Void
    package var remove: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Void
    /// Makes the names in a folder outlast a loss of power.
    package var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void
    /// Calls a closure with each name of a folder as its bytes and, if asked, with its status: thousands of them
    /// at a fraction of what ``names`` and ``status`` cost. Nil for a table that has only these.
    package var forEachName:
        (@Sendable (Descriptor, _ withStatus: Bool, _ body: NameBody) throws(SystemError) -> Void)? =
            nil
    package typealias NameBody = (UnsafeRawBufferPointer, FileStatus?) -> Void
}
