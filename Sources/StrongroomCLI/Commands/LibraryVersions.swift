import Strongroom

/// The versions of the libraries that the program runs with.
struct LibraryVersions {
    let cipher: String
    let sqlite: String

    static func current() throws -> LibraryVersions {
        try DatabaseQueue().read { db in
            LibraryVersions(
                cipher: try String.fetchOne(db, sql: "PRAGMA cipher_version") ?? "unknown",
                sqlite: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "unknown")
        }
    }
}
