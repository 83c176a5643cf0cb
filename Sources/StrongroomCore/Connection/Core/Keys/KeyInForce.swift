internal import Synchronization

/// The key that a queue or a pool has been given since it was opened, by a rotation.
///
/// The functions of `Configuration.prepareDatabase` go on giving the previous key: for the file
/// that was rotated, and for no other, this key takes its place in every connection to come.
///
/// It travels with the configuration of the queue or pool to its connections and snapshots.
package final class KeyInForce: Sendable {
    private struct Entry {
        let file: String
        let key: CipherKey
        let isOfKeyring: Bool
    }

    private let entry = Mutex<Entry?>(nil)

    package init() {}

    /// The key for the file that a connection has opened; nil if the app's own is in force.
    package func key(for connection: borrowing ConnectionHandle) -> CipherKey? {
        guard let file = connection.borrowed.fileName(schema: "main") else {
            return nil
        }
        return entry.withLock { $0?.file == file ? $0?.key : nil }
    }

    /// Whether the key that is in force came from a rotation by the database's keyring.
    package var isOfKeyring: Bool { entry.withLock { $0?.isOfKeyring == true } }

    /// Puts a key in force for the file that a connection has open.
    package func set(_ key: CipherKey, forFile file: String, isOfKeyring: Bool = false) {
        entry.withLock { $0 = Entry(file: file, key: key, isOfKeyring: isOfKeyring) }
    }

    /// From now on, what the app gives counts.
    package func forget() {
        entry.withLock { $0 = nil }
    }
}

/// What notes the key that an app's functions give to a connection.
package final class KeyNote {
    package private(set) var key: Result<CipherKey, any Error>?

    package init() {}

    func note(_ bytes: UnsafeRawBufferPointer) {
        key = Result {
            if RawKeyText.isTakenAsRawKey(bytes) { return try CipherKey(parsing: bytes) }
            return try CipherKey(passphrase: SecretBytes(copying: bytes))
        }
    }
}
