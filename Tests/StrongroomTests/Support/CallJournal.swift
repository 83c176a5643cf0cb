import StrongroomTestSupport

@testable import Strongroom

/// A file system that does what it is asked, and writes down in which order.
final class CallJournal: Sendable {
    private struct State {
        var calls: [String] = []
        var temporary: String?
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
        fileSystem.create = { (path) throws(SystemError) in
            self.state.withLock { $0.temporary = path.splitAtLastSlash.name }
            self.note("create", path)
            return try system.create(path)
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
            self.note("close")
            system.close(descriptor)
        }
        addNames(to: &fileSystem)
        return fileSystem
    }

    private func addNames(to fileSystem: inout FileSystem) {
        let system = FileSystem.system
        fileSystem.changeMode = { (path, mode) throws(SystemError) in
            self.note("chmod", path)
            try system.changeMode(path, mode)
        }
        fileSystem.changeOwner = { (path, owner, group) throws(SystemError) in
            self.note("chown", path)
            try system.changeOwner(path, owner, group)
        }
        fileSystem.copyAttributes = { (from, to) throws(SystemError) in
            self.note("copy attributes", from, to)
            try system.copyAttributes(from, to)
        }
        fileSystem.rename = { (from, to) throws(SystemError) in
            self.note("rename", from, to)
            try system.rename(from, to)
        }
        fileSystem.renameToFreeName = { (from, to) throws(SystemError) in
            self.note("rename to free name", from, to)
            try system.renameToFreeName(from, to)
        }
        fileSystem.remove = { (path) throws(SystemError) in
            self.note("unlink", path)
            try system.remove(path)
        }
        fileSystem.synchronizeDirectory = { (path) throws(SystemError) in
            self.note("fsync directory")
            try system.synchronizeDirectory(path)
        }
    }
}
