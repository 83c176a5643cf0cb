import StrongroomBackup
import StrongroomTables

/// The backups of a file of reminders. Each has the key that the file had at its time: the store keeps
/// all of them.
struct ReminderBackups {
    let repository: BackupRepository
    let keys: KeyStore

    /// The repository at a path.
    ///
    /// - Parameter creating: Whether it is created if nothing is there.
    init(path: String, keys: KeyStore, creating: Bool) throws {
        repository =
            try creating && !BackupRoot.isRepository(path)
            ? BackupRepository.create(at: path) : BackupRepository(path: path)
        self.keys = keys
    }

    /// Stores what changed since the last backup.
    func backUp(_ store: ReminderStore) throws -> Backup {
        try repository.backUp(store.database, keys: keys)
    }

    /// Gives the file a new key, which the next backup is made under.
    ///
    /// - Returns: Why the repository does not know the key yet; the next backup introduces it then.
    func rotateKey(of store: ReminderStore) throws -> (any Error)? {
        try store.database.rotateKey(in: keys, backups: repository).introductionError
    }

    /// Writes the file as it was, under the current key, so that the app opens it.
    func restore(_ name: String, to path: String) throws {
        try repository.restore(name, to: path, keys: keys)
        for stored in try keys.keys() {
            let file = DatabaseFile(path: path, key: stored.key)
            guard let queue = try? file.open() else { continue }
            try queue.close()
            if stored.state != .current { try file.rotateKey(to: keys.currentKey()) }
            return
        }
    }
}
