import Strongroom

/// The packages of a machine, in an encrypted database.
struct Catalog {
    let database: DatabaseQueue
    /// The keys of the database over time; nil if it is opened with a key that is kept elsewhere.
    private let keys: KeyStore?

    /// Opens the catalog, or creates it where there is none.
    init(path: String, key: CipherKey) throws {
        try self.init(path: path, keys: nil) { db in try db.useKey(key) }
    }

    /// Opens the catalog with a store of keys, or creates both where there is none.
    init(path: String, keys: KeyStore) throws {
        try self.init(path: path, keys: keys) { db in try db.useKey(from: keys) }
    }

    private init(
        path: String, keys: KeyStore?, _ giveKey: @escaping @Sendable (Database) throws -> Void
    ) throws {
        self.keys = keys
        var configuration = Configuration()
        configuration.label = "PackageCatalog"
        // Others may read the catalog while it is written, and wait for each other when they write.
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase(giveKey)
        database = try DatabaseQueue(path: path, configuration: configuration)
        try Schema.migrate(database)
    }

    /// Gives the catalog a new key, which the store keeps, as it keeps the old one.
    ///
    /// A kill at any instant leaves a catalog that the store opens.
    func rotateKey() throws {
        guard let keys else { return }
        try database.rotateKey(in: keys)
    }

    func close() throws {
        try database.close()
    }
}
