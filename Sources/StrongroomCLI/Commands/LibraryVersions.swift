import StrongroomCore

/// The versions of the program and of the libraries that it runs with.
struct LibraryVersions {
    static let strongroom = "0.1.0"

    let cipher: String
    let sqlite: String

    /// One line that names all of them.
    var line: String {
        "strongroom \(Self.strongroom) (SQLCipher \(cipher), SQLite \(sqlite))"
    }

    /// The file from which SQLCipher was loaded; nil where the system does not tell.
    static var libraryPath: String? {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        typealias Place = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
        guard let function = loadedFunction("sqlite3_libversion", as: Version.self),
            let dladdr = loadedFunction("dladdr", as: Place.self)
        else { return nil }
        // Dl_info, which glibc has for who asks for its extensions: the file's name and address, then
        // the symbol's.
        typealias Information = (
            UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafePointer<CChar>?, UnsafeRawPointer?
        )
        var place: Information = (nil, nil, nil, nil)
        guard dladdr(unsafeBitCast(function, to: UnsafeRawPointer.self), &place) != 0 else {
            return nil
        }
        return place.0.flatMap { String(validatingCString: $0) }
    }

    static func current() throws -> LibraryVersions {
        try DatabaseQueue().read { db in
            LibraryVersions(
                cipher: try String.fetchOne(db, sql: "PRAGMA cipher_version") ?? "unknown",
                sqlite: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "unknown")
        }
    }
}
