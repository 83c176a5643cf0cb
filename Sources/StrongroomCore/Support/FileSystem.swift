/// The system calls on files, as a table: the only door from the library to the file system.
///
/// A test replaces an entry to make a call fail, or to write down the order of calls. SQLite's own
/// calls do not pass here.
///
/// 1. Nobody uses it to open a database file on which this process may have a connection: closing
///    any descriptor of a file drops all POSIX locks that the process has on it.
package struct FileSystem: Sendable {
    package typealias Descriptor = Int32

    package enum Access: Sendable {
        case reading, writing
    }

    /// The status of what a path leads to, links followed.
    package var status: @Sendable (_ path: String) throws(SystemError) -> FileStatus
    /// The path without links, `.` and `..`; all of it has to exist.
    package var resolve: @Sendable (_ path: String) throws(SystemError) -> String
    /// The names in a directory.
    package var names: @Sendable (_ directory: String) throws(SystemError) -> [String]
    /// What a symbolic link says, without following it.
    package var linkTarget: @Sendable (_ path: String) throws(SystemError) -> String
    /// Bytes that may still be written in the file system of a path.
    package var availableByteCount: @Sendable (_ path: String) throws(SystemError) -> Int64
    /// Whether the file system of a path has no room for another byte or, if it counts files, for another file.
    package var isFull: @Sendable (_ path: String) throws(SystemError) -> Bool
    /// Whether the file system of a path is mounted so that nobody can write.
    package var isReadOnly: @Sendable (_ path: String) throws(SystemError) -> Bool
    /// Whether the process may read, or write, what a path leads to.
    package var mayAccess: @Sendable (_ path: String, Access) -> Bool

    /// Creates a file that nobody else may read; fails if the name is taken, be it by a link.
    package var create: @Sendable (_ path: String) throws(SystemError) -> Descriptor
    /// Opens an existing file for reading, links followed; a pipe is not waited for.
    package var openForReading: @Sendable (_ path: String) throws(SystemError) -> Descriptor
    package var write: @Sendable (Descriptor, UnsafeRawBufferPointer) throws(SystemError) -> Int
    package var writeAt:
        @Sendable (Descriptor, UnsafeRawBufferPointer, _ offset: Int64) throws(SystemError) -> Int
    package var read:
        @Sendable (Descriptor, UnsafeMutableRawBufferPointer, _ offset: Int64)
            throws(SystemError) -> Int
    package var descriptorStatus: @Sendable (Descriptor) throws(SystemError) -> FileStatus
    /// Begins to bring bytes that were written to the disk, so that less is left for
    /// `synchronize`; guarantees nothing, and does nothing where the system cannot.
    package var beginSynchronizing:
        @Sendable (Descriptor, _ offset: Int64, _ byteCount: Int64) -> Void
    /// Brings bytes that were written to the disk, and waits for them; guarantees nothing either.
    package var finishSynchronizing:
        @Sendable (Descriptor, _ offset: Int64, _ byteCount: Int64) -> Void
    package var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void
    /// Takes the lock of an open file (`flock`), which ends with the process; `false` if it is
    /// taken.
    package var lock: @Sendable (Descriptor) throws(SystemError) -> Bool
    /// Takes the lock together with others that take it so; `false` if somebody has it alone.
    package var lockShared: @Sendable (Descriptor) throws(SystemError) -> Bool
    package var close: @Sendable (Descriptor) -> Void

    package var truncate: @Sendable (Descriptor, _ byteCount: Int64) throws(SystemError) -> Void
    package var changeMode: @Sendable (Descriptor, _ mode: UInt32) throws(SystemError) -> Void
    package var changeOwner:
        @Sendable (Descriptor, _ owner: UInt32, _ group: UInt32) throws(SystemError) -> Void
    /// Gives a file the extended attributes of another, access control lists among them. Of the
    /// other, a descriptor that only pins it is enough.
    package var copyAttributes:
        @Sendable (_ from: Descriptor, _ to: Descriptor) throws(SystemError) -> Void
    /// The same of the file that stands under a name; a link is not followed.
    package var copyAttributesOfName:
        @Sendable (_ from: String, _ to: Descriptor) throws(SystemError) -> Void
    /// Gives a file a name; a file that had it is replaced, in one step.
    package var rename: @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    package var remove: @Sendable (_ path: String) throws(SystemError) -> Void
    /// Makes the names in a directory outlast a loss of power.
    package var synchronizeDirectory: @Sendable (_ path: String) throws(SystemError) -> Void

    /// Whether ``lock`` keeps other processes out: not where files lie on a server.
    package var locksFiles = true
    /// How long another process's sign of life counts where nothing locks files.
    package var leaseLifetime = Duration.seconds(60)
    /// The calls on names in folders that are held open.
    package var inFolder = FolderCalls.system
}

extension FileSystem {
    /// Ends the lock of an open file, and closes it. Closing alone is not enough: a child that another
    /// thread has just forked holds the same lock until it becomes another program.
    package func unlock(closing descriptor: Descriptor) {
        if locksFiles { SystemCalls.unlock(descriptor) }
        close(descriptor)
    }
}
