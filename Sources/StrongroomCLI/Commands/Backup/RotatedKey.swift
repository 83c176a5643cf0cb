import StrongroomCore
import StrongroomKeyrings

/// What is done with the key of a keyring while other processes may rotate it.
enum RotatedKey {
    private static let attemptLimit = 3

    /// Does something with the key of a database; once more where a rotation has replaced the key meanwhile.
    ///
    /// - Parameter unlockers: What has opened the keyring; none where the key comes from elsewhere.
    static func trying<Result>(
        _ key: CipherKey, of database: String, _ unlockers: [Unlocker],
        _ body: (CipherKey) throws -> Result
    ) throws -> Result {
        var (key, attempt) = (key, 1)
        while true {
            do {
                return try body(key)
            } catch {
                guard attempt < attemptLimit, Failure(describing: error).exitCode == .wrongKey,
                    let next = next(database, unlockers), !next.isSame(as: key)
                else { throw error }
                (key, attempt) = (next, attempt + 1)
            }
        }
    }

    /// Asks the keyring of a database for its key; once more where a rotation has written another one meanwhile.
    static func reading<Result>(
        for database: String, _ body: () throws -> Result
    ) throws -> Result {
        var attempt = 1
        while true {
            let before = try? Keyring(of: database).revision
            do {
                return try body()
            } catch {
                guard attempt < attemptLimit, let before,
                    let now = try? Keyring(of: database).revision, now != before
                else { throw error }
                attempt += 1
            }
        }
    }

    private static func next(_ database: String, _ unlockers: [Unlocker]) -> CipherKey? {
        guard !unlockers.isEmpty, let keyring = try? Keyring(of: database) else { return nil }
        return unlockers.lazy.compactMap { try? keyring.unlock(with: $0) }.first
    }
}
