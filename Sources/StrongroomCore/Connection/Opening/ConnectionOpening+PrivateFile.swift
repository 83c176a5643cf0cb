internal import LibC

// SQLite creates a file with the mode 0644, less the process's umask. The log, its index and the journal get
// the mode that the file has. <https://www.sqlite.org/src/file/src/os_unix.c>, findCreateFileMode

extension ConnectionOpening {
    /// Creates the file that is not there yet, for its owner alone.
    ///
    /// SQLite, which opens it next, has the better words for what is in the way.
    func createPrivateFile() {
        guard createsPrivateFile, path != ":memory:", !path.isEmpty else { return }
        let fileSystem = FileSystem.system
        guard let descriptor = try? fileSystem.create(path) else { return }
        fileSystem.close(descriptor)
    }

    /// Makes sure of that where SQLite has created it: under a URI, or behind a link.
    ///
    /// The file has no content yet. It is not opened: closing it would release the locks of the process.
    func makePrivate(_ database: Database, wasEmpty: Bool) throws {
        guard createsPrivateFile, wasEmpty,
            let file = try database.connection().fileName(schema: "main"), !file.isEmpty
        else { return }
        guard chmod(file.systemPath, 0o600) == 0 else {
            throw DatabaseError(
                code: .SQLITE_CANTOPEN, message: "cannot make \(file) private to its owner")
        }
    }

    private var createsPrivateFile: Bool {
        purpose == .app && configuration.createsPrivateFiles && flags.contains(.create)
    }
}
