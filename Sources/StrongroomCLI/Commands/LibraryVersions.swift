import Strongroom

/// The versions of the program and of the libraries that it runs with.
struct LibraryVersions {
    static let strongroom = "0.1.0"

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
