import StrongroomCore
internal import StrongroomSFTP

extension BackupMemory {
    /// The path without links of what need not be there: of the part that is there, they are followed.
    private static func place(of path: String) -> String {
        var names: [String] = []
        var part = path.withoutFinalSlashes
        while true {
            if let place = try? FileSystem.system.resolve(part) {
                return names.reversed().reduce(place) { $0.appendingName($1) }
            }
            let (folder, name) = part.splitAtLastSlash
            guard folder != part else { return path }
            names.append(name)
            part = folder
        }
    }

    /// Why a path where nothing was found is not that of a new repository: a host remembers one with backups
    /// there.
    package func loss(at path: String) -> BackupError? {
        let server = try? RemoteServer.leading(to: path)
        if let fileSystem = server?.fileSystem(over: .system) {
            do {
                _ = try fileSystem.statusIfPresent(path)
            } catch {
                // Nothing is known of what could not be reached.
                if error.isUnreachable { return BackupError(error, path) }
            }
        }
        return loss(of: path, server?.place.text ?? Self.place(of: path))
    }

    /// The same for a repository that is to be made in a folder of repositories, which is there.
    package func loss(of name: String, in root: BackupRoot) -> BackupError? {
        let place = root.server?.place.text ?? Self.place(of: root.path)
        return loss(of: root.path.appendingName(name), place.appendingName(name))
    }

    private func loss(of path: String, _ place: String) -> BackupError? {
        guard let entry = try? entry(at: place), entry.sequence > 0 else { return nil }
        let count = entry.sequence == 1 ? "1 backup" : "\(entry.sequence) backups"
        return BackupError(
            .rolledBack, path,
            "there is no repository at \(path), which had \(count) when this host used it last",
            hint: "mount its disk; create another one there only if it is gone for good",
            step: BackupStep.mountDisk)
    }
}
