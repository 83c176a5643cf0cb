import StrongroomTestSupport

@testable import StrongroomCore

/// A file system that does what it is asked, and writes down in which order.
final class CallJournal: Sendable {
    private struct State {
        var calls: [String] = []
        var temporary: String?
        var descriptor: FileSystem.Descriptor?
        var isOn = false
    }

    private let state = Locked(State())

    var calls: [String] { state.withLock { $0.calls } }

    func start() {
        state.withLock { $0.isOn = true }
    }

    /// Writes a line; of paths only the last name stays, and that of the temporary file is `TEMPORARY`.
    func note(_ call: String, _ paths: String...) {
        state.withLock { state in
            guard state.isOn else { return }
            let names = paths.map { path in
                let name = path.splitAtLastSlash.name
                guard let temporary = state.temporary, name.hasPrefix(temporary) else {
                    return name
                }
                return "TEMPORARY" + name.dropFirst(temporary.count)
            }
            state.calls.append(([call] + names).joined(separator: " "))
        }
    }

    var fileSystem: FileSystem {
        let system = FileSystem.system
        var fileSystem = system
        fileSystem.inFolder.create = { (folder, name) throws(SystemError) in
            self.state.withLock { $0.temporary = name }
            self.note("create", name)
            let descriptor = try system.inFolder.create(folder, name)
            self.state.withLock { $0.descriptor = descriptor }
            return descriptor
        }
        fileSystem.lock = { (descriptor) throws(SystemError) in
            self.note("lock")
            return try system.lock(descriptor)
        }
        fileSystem.writeAt = { (descriptor, bytes, offset) throws(SystemError) in
            self.note("pwrite")
            return try system.writeAt(descriptor, bytes, offset)
        }
        fileSystem.synchronize = { (descriptor) throws(SystemError) in
            self.note("fsync")
            try system.synchronize(descriptor)
        }
        fileSystem.close = { descriptor in
            // The folder and the file that is replaced are held open too.
            let isTemporary = self.state.withLock { state in
                guard state.descriptor == descriptor else { return false }
                state.descriptor = nil
                return true
            }
            if isTemporary { self.note("close") }
            system.close(descriptor)
        }
        addNames(to: &fileSystem)
        return fileSystem
    }

    private func addNames(to fileSystem: inout FileSystem) {
        let system = FileSystem.system
        fileSystem.changeMode = { (descriptor, mode) throws(SystemError) in
            self.note("chmod")
            try system.changeMode(descriptor, mode)
        }
        fileSystem.changeOwner = { (descriptor, owner, group) throws(SystemError) in
            self.note("chown")
            try system.changeOwner(descriptor, owner, group)
        }
        fileSystem.copyAttributes = { (from, to) throws(SystemError) in
            self.note("copy attributes")
            try system.copyAttributes(from, to)
        }
        fileSystem.inFolder.rename = { (folder, from, newFolder, to) throws(SystemError) in
            self.note("rename", from, to)
            try system.inFolder.rename(folder, from, newFolder, to)
        }
        fileSystem.inFolder.renameToFreeName = { (folder, from, to) throws(SystemError) in
            self.note("rename to free name", from, to)
            try system.inFolder.renameToFreeName(folder, from, to)
        }
        fileSystem.inFolder.remove = { (folder, name) throws(SystemError) in
            self.note("unlink", name)
            try system.inFolder.remove(folder, name)
        }
        fileSystem.inFolder.synchronize = { (folder) throws(SystemError) in
            self.note("fsync directory")
            try system.inFolder.synchronize(folder)
        }
    }
}
