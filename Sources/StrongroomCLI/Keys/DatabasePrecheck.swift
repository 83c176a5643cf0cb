import LibC
import StrongroomCore
import StrongroomKeyrings

/// What can be told about files before a key is asked for. The library finds all of it again; this
/// only spares people typing a key in vain.
enum DatabasePrecheck {
    static func encrypted(_ path: String) throws {
        try DatabaseFile(path: path).requireEncrypted()
    }

    static func plain(_ path: String) throws {
        try DatabaseFile(path: path).requirePlaintext()
    }

    /// Refuses a result that would take the place of its source, or of a file that is to stay.
    static func destination(
        _ path: String, for source: String, overwrites: Bool
    ) throws(Failure) {
        guard let status = status(path) else { return }
        if let sourceStatus = Self.status(source), sourceStatus.st_dev == status.st_dev,
            sourceStatus.st_ino == status.st_ino
        {
            throw Failure(.sameFile, path, "\(path) and \(source) are the same file")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(.notAFile, path, "\(path) is a directory")
        }
        if !overwrites { throw Failure(.exists, path, "\(path) exists already") }
    }

    /// Refuses a result next to which the keyring of another database lies: with it, nobody could open the
    /// result.
    ///
    /// - Parameter source: The database whose keyring is copied, too; nil if none is.
    static func keyring(at destination: String, replacedByThatOf source: String?) throws {
        guard try Keyring.exists(for: destination) else { return }
        if let source, let own = try? Keyring(of: source),
            let other = try? Keyring(of: destination), own.identifier == other.identifier
        {
            try own.requireMayReplace(keyringOf: destination)
            return
        }
        guard status(destination) != nil else {
            throw Failure(
                .failed, "there is a keyring for \(destination) already, without its database",
                hint: "choose another name if that database was moved; if an earlier run was "
                    + "interrupted, remove \(destination)-keyring")
        }
        throw Failure(
            .failed, "\(destination) has a keyring, which would not open the new file",
            hint: "choose another name; or remove \(destination) and its keyring, if they are not "
                + "needed any more")
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path.systemPath, &status) == 0 ? status : nil
    }
}
