import StrongroomCore
import Synchronization

/// The key that databases are to get.
///
/// 1. It is on the disk, and was read back from there, before a database is encrypted with it.
/// 2. A file for a key that does not exist yet is created once the old key has opened a database. A wrong
///    old key leaves no file behind.
/// 3. No file is removed: another run may have found it meanwhile, and given its key to a database.
final class NewKey: Sendable {
    /// Where the key is written, if it does not exist yet.
    private let path: String
    private let state: Mutex<CipherKey?>

    init(_ key: CipherKey) {
        path = ""
        state = Mutex(key)
    }

    /// A key that is to be generated, in a file that is not there.
    init(creatingFile path: String) {
        self.path = path
        state = Mutex(nil)
    }

    /// The key, if it exists: a database may have it already.
    var existing: CipherKey? { state.withLock { $0 } }

    /// The key, which exists from now on.
    func key() throws -> CipherKey {
        try state.withLock { key in
            if let key { return key }
            let newKey = try CipherKey.generated()
            try newKey.write(toNewFile: path)
            key = newKey
            return newKey
        }
    }
}
