@testable import StrongroomCore

extension FileSystem {
    /// The machine's, with something that happens before each call that depends on a name or changes
    /// a file.
    static func before(_ act: @escaping @Sendable () -> Void) -> FileSystem {
        let system = FileSystem.system
        var steps = system
        steps.status = { (path) throws(SystemError) in
            act()
            return try system.status(path)
        }
        steps.resolve = { (path) throws(SystemError) in
            act()
            return try system.resolve(path)
        }
        steps.names = { (directory) throws(SystemError) in
            act()
            return try system.names(directory)
        }
        steps.create = { (path) throws(SystemError) in
            act()
            return try system.create(path)
        }
        steps.openForReading = { (path) throws(SystemError) in
            act()
            return try system.openForReading(path)
        }
        steps.rename = { (from, to) throws(SystemError) in
            act()
            try system.rename(from, to)
        }
        steps.remove = { (path) throws(SystemError) in
            act()
            try system.remove(path)
        }
        steps.addDescriptors(act)
        steps.inFolder = .before(act)
        return steps
    }

    private mutating func addDescriptors(_ act: @escaping @Sendable () -> Void) {
        let system = FileSystem.system
        writeAt = { (descriptor, bytes, offset) throws(SystemError) in
            act()
            return try system.writeAt(descriptor, bytes, offset)
        }
        synchronize = { (descriptor) throws(SystemError) in
            act()
            try system.synchronize(descriptor)
        }
        lock = { (descriptor) throws(SystemError) in
            act()
            return try system.lock(descriptor)
        }
        close = { descriptor in
            act()
            system.close(descriptor)
        }
        truncate = { (descriptor, count) throws(SystemError) in
            act()
            try system.truncate(descriptor, count)
        }
        changeMode = { (descriptor, mode) throws(SystemError) in
            act()
            try system.changeMode(descriptor, mode)
        }
        changeOwner = { (descriptor, owner, group) throws(SystemError) in
            act()
            try system.changeOwner(descriptor, owner, group)
        }
        copyAttributes = { (from, to) throws(SystemError) in
            act()
            try system.copyAttributes(from, to)
        }
    }
}

extension FolderCalls {
    fileprivate static func before(_ act: @escaping @Sendable () -> Void) -> FolderCalls {
        let system = FolderCalls.system
        var steps = system
        steps.open = { (path) throws(SystemError) in
            act()
            return try system.open(path)
        }
        steps.openFolder = { (folder, name) throws(SystemError) in
            act()
            return try system.openFolder(folder, name)
        }
        steps.status = { (folder, name) throws(SystemError) in
            act()
            return try system.status(folder, name)
        }
        steps.create = { (folder, name) throws(SystemError) in
            act()
            return try system.create(folder, name)
        }
        steps.openExisting = { (folder, name) throws(SystemError) in
            act()
            return try system.openExisting(folder, name)
        }
        steps.pin = { (folder, name) throws(SystemError) in
            act()
            return try system.pin(folder, name)
        }
        steps.rename = { (folder, from, newFolder, to) throws(SystemError) in
            act()
            try system.rename(folder, from, newFolder, to)
        }
        steps.renameToFreeName = { (folder, from, to) throws(SystemError) in
            act()
            try system.renameToFreeName(folder, from, to)
        }
        steps.remove = { (folder, name) throws(SystemError) in
            act()
            try system.remove(folder, name)
        }
        return steps
    }
}
