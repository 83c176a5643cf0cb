import Strongroom

/// The packages of a machine, in an encrypted database.
struct Catalog {
    let database: DatabaseQueue

    /// Opens the catalog, or creates it where there is none.
    init(path: String, key: CipherKey) throws {
        var configuration = Configuration()
        configuration.label = "PackageCatalog"
        // Others may read the catalog while it is written, and wait for each other when they write.
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { db in
            try db.useKey(key)
        }
        database = try DatabaseQueue(path: path, configuration: configuration)
        try Schema.migrate(database)
    }

    func close() throws {
        try database.close()
    }
}
