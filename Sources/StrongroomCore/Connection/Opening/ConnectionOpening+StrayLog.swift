// A log whose database is not there is refused before SQLite creates an empty one, with a key or without:
// who opens a file without a key does not know whose log lies there, and loses it all the same. A log next
// to a plaintext file that has content stays SQLite's affair.

extension ConnectionOpening {
    /// Refuses a log or a journal whose database is not there, while nothing has been created.
    func requireNoStrayLog() throws(DatabaseError) {
        guard let name = pathBeforeOpening else { return }
        try requireNoStrayLog(at: (try? FileSystem.system.resolve(name)) ?? name)
    }

    /// The same, where SQLite alone knows to which file the path leads: behind a link without a target.
    func requireNoStrayLog(beside database: Database) throws(DatabaseError) {
        let file = try database.withHandle { handle in
            handle.rawFileSize() == 0 ? handle.borrowed.fileName(schema: "main") : nil
        }
        if let file { try requireNoStrayLog(at: file) }
    }

    private func requireNoStrayLog(at file: String) throws(DatabaseError) {
        // One that only learns the key reads no page, and SQLite leaves the log alone.
        guard purpose != .learning, !configuration.trustsCompanions else { return }
        try CompanionFiles.requireNoStray(of: file)
    }

    /// Nil for a database in memory, and for a URI that may be one.
    private var pathBeforeOpening: String? {
        guard !path.isEmpty, path != ":memory:" else { return nil }
        guard flags.contains(.uri), path.hasPrefix("file:") else { return path }
        return path.pathOfPlainURI
    }
}

extension Database {
    /// Refuses a log or a journal whose database is not there, before a statement attaches one that is new.
    func requireNoStrayLog(ofFileAttachedAs name: String) throws(DatabaseError) {
        try ConnectionOpening(name, .uri, for: .app, configuration, label: description)
            .requireNoStrayLog()
    }
}

extension CompanionFiles {
    /// - Throws: `SQLITE_CANTOPEN_DIRTYWAL`.
    static func requireNoStray(of database: String) throws(DatabaseError) {
        guard let stray = CompanionFiles(of: database)?.stray else { return }
        throw .strayLog(stray, of: database)
    }
}

extension String {
    /// The path in a URI of a file; nil if its parameters may name something else.
    fileprivate var pathOfPlainURI: String? {
        let uri = utf8.dropFirst("file:".utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let parts = uri.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.count > 1 ? Self(decoding: parts[1], as: UTF8.self) : ""
        guard !parameters.contains("memory"), !parameters.contains("vfs"), let first = parts.first
        else { return nil }
        var path = Array(first)
        if path.starts(with: "//".utf8) {
            path = Array(path.dropFirst(2).drop { $0 != UInt8(ascii: "/") })
        }
        return Self.decodedFromURI(path)
    }

    private static func decodedFromURI(_ bytes: [UInt8]) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = Hexadecimal.bytes(Self(decoding: rest.prefix(2), as: UTF8.self))
            {
                decoded += value
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded.isEmpty || decoded.contains(0) ? nil : Self(decoding: decoded, as: UTF8.self)
    }
}
