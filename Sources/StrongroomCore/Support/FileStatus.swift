/// What the system knows of a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case file, directory, link, other
    }

    /// A file is the same file under all its names: the device and the number there.
    package struct Identity: Sendable, Hashable {
        package let device: UInt64
        package let number: UInt64
    }

    package var kind: Kind
    package var identity: Identity
    package var byteCount: Int64
    package var mode: UInt32
    package var owner: UInt32
    package var group: UInt32
    /// How many names (hard links) it has.
    package var linkCount: Int
    /// When its content was last written, and when it was last changed in any way, in nanoseconds
    /// since 1970. Nobody sets the second; the system does.
    package var written: Int64
    package var changed: Int64
}

extension FileStatus {
    /// What is known of a file on another machine.
    package init(kind: Kind, byteCount: Int64, mode: UInt32, written: Int64) {
        self.init(
            kind: kind, identity: Identity(device: .max, number: 0), byteCount: byteCount,
            mode: mode, owner: .max, group: .max, linkCount: 1, written: written, changed: written)
    }
}
