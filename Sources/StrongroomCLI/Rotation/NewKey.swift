import StrongroomCore
import Synchronization

/// The key that databases are to get.
///
/// 1. It is on the disk, and was read back from there, before a database is encrypted with it.
/// 2. A key that does not exist yet is made once the old key has opened a database. A wrong old key leaves
///    no file behind.
/// 3. It is read back again directly before a database gets it.
/// 4. No file is removed: another run may have found it meanwhile, and given its key to a database.
final class NewKey: Sendable {
    /// Makes the key, and writes it, if it does not exist yet.
    private let make: @Sendable () throws -> CipherKey
    private let state: Mutex<CipherKey?>
    /// Throws if the key is no longer where it is kept.
    private let require: @Sendable (CipherKey) throws -> Void

    init(
        _ key: CipherKey,
        requiring require: @escaping @Sendable (CipherKey) throws -> Void = { _ in }
    ) {
        make = { key }
        state = Mutex(key)
        self.require = require
    }

    /// A key that is to be generated, in a file that is not there.
    convenience init(creatingFile path: String) {
        self.init(
            makingBy: {
                let newKey = try CipherKey.generated()
                try newKey.write(toNewFile: path)
                return newKey
            },
            requiring: { key in
                guard try CipherKey(contentsOfFile: path).isSame(as: key) else {
                    throw Failure(.failed, "\(path) no longer holds the new key")
                }
            })
    }

    /// A key that is to be made.
    init(
        makingBy make: @escaping @Sendable () throws -> CipherKey,
        requiring require: @escaping @Sendable (CipherKey) throws -> Void
    ) {
        self.make = make
        state = Mutex(nil)
        self.require = require
    }

    /// Looks for the key where it is kept, if it exists.
    @Sendable func confirm() throws {
        if let existing { try require(existing) }
    }

    /// The key, if it exists: a database may have it already.
    var existing: CipherKey? { state.withLock { $0 } }

    /// The key, which exists from now on.
    func key() throws -> CipherKey {
        try state.withLock { key in
            if let key { return key }
            let newKey = try make()
            key = newKey
            return newKey
        }
    }
}
