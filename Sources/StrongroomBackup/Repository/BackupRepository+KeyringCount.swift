import StrongroomCore

extension BackupRepository {
    /// How many keyrings of a database are stored.
    ///
    /// - Parameter identifier: `Keyring.identifier`.
    /// - Throws: ``BackupError`` if the repository cannot be read.
    package func keyringCount(of identifier: String) throws -> Int {
        try opened { repository in
            _ = try repository.readHead()
            return try repository.keyringNames(of: identifier).count
        }
    }
}
