internal import LibC
package import StrongroomCore

extension RemoteServer {
    /// The calls on files of this server, and on all other files as they are without it.
    package func fileSystem(over base: FileSystem) -> FileSystem {
        var files = base
        files.locksFiles = false
        addPaths(to: &files, base)
        addDescriptors(to: &files, base)
        addFolders(to: &files.inFolder, base.inFolder)
        refuseTheRest(in: &files.inFolder, base.inFolder)
        return files
    }

    private func addPaths(to files: inout FileSystem, _ base: FileSystem) {
        files.status = { [self] path throws(SystemError) in
            guard let remote = remotePath(path) else { return try base.status(path) }
            return try status(remote)
        }
        files.resolve = { [self] path throws(SystemError) in
            guard let remote = remotePath(path) else { return try base.resolve(path) }
            return shown(remote == "." ? place.folder : remote)
        }
        files.names = { [self] path throws(SystemError) in
            guard let remote = remotePath(path) else { return try base.names(path) }
            return try names(remote)
        }
        files.availableByteCount = { [self] path throws(SystemError) in
            guard let remote = remotePath(path) else { return try base.availableByteCount(path) }
            return try availableByteCount(remote)
        }
        files.synchronizeDirectory = { [self] path throws(SystemError) in
            if remotePath(path) == nil { try base.synchronizeDirectory(path) }
        }
    }

    private func addDescriptors(to files: inout FileSystem, _ base: FileSystem) {
        files.write = { [self] file, bytes throws(SystemError) in
            Self.isRemote(file) ? try write(file, bytes, at: nil) : try base.write(file, bytes)
        }
        files.writeAt = { [self] file, bytes, offset throws(SystemError) in
            Self.isRemote(file)
                ? try write(file, bytes, at: offset) : try base.writeAt(file, bytes, offset)
        }
        files.read = { [self] file, buffer, offset throws(SystemError) in
            Self.isRemote(file)
                ? try read(file, buffer, at: offset) : try base.read(file, buffer, offset)
        }
        files.descriptorStatus = { [self] file throws(SystemError) in
            Self.isRemote(file) ? try descriptorStatus(file) : try base.descriptorStatus(file)
        }
        files.beginSynchronizing = { file, offset, count in
            if !Self.isRemote(file) { base.beginSynchronizing(file, offset, count) }
        }
        files.finishSynchronizing = { file, offset, count in
            if !Self.isRemote(file) { base.finishSynchronizing(file, offset, count) }
        }
        files.synchronize = { [self] file throws(SystemError) in
            Self.isRemote(file) ? try synchronize(file) : try base.synchronize(file)
        }
        files.close = { [self] file in
            if Self.isRemote(file) { close(file) } else { base.close(file) }
        }
    }

    private func addFolders(to folders: inout FolderCalls, _ base: FolderCalls) {
        // It takes descriptors of the system alone.
        folders.forEachName = nil
        folders.open = { [self] path throws(SystemError) in
            guard let remote = remotePath(path) else { return try base.open(path) }
            return try openFolder(remote)
        }
        folders.openFolder = { [self] folder, name throws(SystemError) in
            Self.isRemote(folder) ? try openFolder(folder, name) : try base.openFolder(folder, name)
        }
        folders.makeFolder = { [self] folder, name throws(SystemError) in
            Self.isRemote(folder) ? try makeFolder(folder, name) : try base.makeFolder(folder, name)
        }
        folders.names = { [self] folder throws(SystemError) in
            Self.isRemote(folder) ? try names(folder) : try base.names(folder)
        }
        folders.status = { [self] folder, name throws(SystemError) in
            Self.isRemote(folder) ? try status(folder, name) : try base.status(folder, name)
        }
        folders.create = { [self] folder, name throws(SystemError) in
            Self.isRemote(folder) ? try create(folder, name) : try base.create(folder, name)
        }
        folders.openForReading = { [self] folder, name throws(SystemError) in
            Self.isRemote(folder)
                ? try openForReading(folder, name) : try base.openForReading(folder, name)
        }
        folders.pin = { folder, name throws(SystemError) in
            Self.isRemote(folder) ? nil : try base.pin(folder, name)
        }
        folders.rename = { [self] folder, name, newFolder, newName throws(SystemError) in
            if Self.isRemote(folder) {
                try rename(folder, name, newFolder, newName)
            } else {
                try base.rename(folder, name, newFolder, newName)
            }
        }
        folders.remove = { [self] folder, name throws(SystemError) in
            Self.isRemote(folder) ? try remove(folder, name) : try base.remove(folder, name)
        }
        folders.synchronize = { folder throws(SystemError) in
            // The protocol cannot; what a server does with names is its own.
            if !Self.isRemote(folder) { try base.synchronize(folder) }
        }
    }

    /// What repositories on a server do without.
    private func refuseTheRest(in folders: inout FolderCalls, _ base: FolderCalls) {
        let unsupported = { @Sendable (name: String) in
            SystemError("open", name, number: EOPNOTSUPP)
        }
        folders.openExisting = { folder, name throws(SystemError) in
            guard !Self.isRemote(folder) else { throw unsupported(name) }
            return try base.openExisting(folder, name)
        }
        folders.openOrCreate = { folder, name throws(SystemError) in
            guard !Self.isRemote(folder) else { throw unsupported(name) }
            return try base.openOrCreate(folder, name)
        }
        folders.renameToFreeName = { folder, name, newName throws(SystemError) in
            guard !Self.isRemote(folder) else { throw unsupported(name) }
            try base.renameToFreeName(folder, name, newName)
        }
    }
}
