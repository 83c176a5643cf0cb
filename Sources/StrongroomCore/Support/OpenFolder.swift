/// A folder that is held open, so that its own path may change hands meanwhile.
///
/// Names in it may still change hands: what was created is known by its ``FileStatus/Identity``.
package final class OpenFolder: Sendable {
    package let path: String
    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem

    private var calls: FolderCalls { fileSystem.inFolder }

    package init(_ path: String, _ fileSystem: FileSystem) throws(SystemError) {
        self.path = path
        self.fileSystem = fileSystem
        descriptor = try fileSystem.inFolder.open(path)
    }

    /// Takes over a descriptor.
    init(_ path: String, _ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
        self.descriptor = descriptor
    }

    deinit {
        fileSystem.close(descriptor)
    }

    package func path(of name: String) -> String { path.appendingName(name) }

    /// What stands under a name, be it a link; nil if nothing does.
    package func status(_ name: String) throws(SystemError) -> FileStatus? {
        try calls.status(descriptor, name)
    }

    /// Creates a file that nobody else may read; fails if the name is taken, be it by a link.
    func create(_ name: String) throws(SystemError) -> FileSystem.Descriptor {
        try calls.create(descriptor, name)
    }

    /// Opens what stands under a name for reading; a link is not followed, and a pipe not waited for.
    package func openForReading(_ name: String) throws(SystemError) -> FileSystem.Descriptor {
        try calls.openForReading(descriptor, name)
    }

    /// Opens a regular file for reading and writing, if it is one.
    func open(_ name: String) throws(SystemError) -> FileSystem.Descriptor? {
        guard let status = try status(name), status.kind == .file else { return nil }
        let file = try calls.openExisting(descriptor, name)
        let isSame = (try? fileSystem.descriptorStatus(file).identity) == status.identity
        if !isSame { fileSystem.close(file) }
        return isSame ? file : nil
    }

    /// Keeps the number of a file in use, so that no other file gets it; nil where the system
    /// cannot.
    func pin(_ name: String) throws(SystemError) -> FileSystem.Descriptor? {
        try calls.pin(descriptor, name)
    }

    /// - Throws: ``SystemError/isReplaced`` if something else stands under the name.
    func require(_ identity: FileStatus.Identity, under name: String) throws(SystemError) {
        guard try status(name)?.identity == identity else {
            throw SystemError("compare", path(of: name), number: SystemError.replaced)
        }
    }

    func rename(_ from: String, to name: String, overwrite: Bool) throws(SystemError) {
        if overwrite {
            try calls.rename(descriptor, from, descriptor, name)
        } else {
            try calls.renameToFreeName(descriptor, from, name)
        }
    }

    func remove(_ name: String) throws(SystemError) {
        try calls.remove(descriptor, name)
    }

    package func synchronize() throws(SystemError) {
        try calls.synchronize(descriptor)
    }
}
