/// The other names (hard links) of a database file in its folder. Names in other folders are not
/// looked for.
///
/// SQLite looks for a log under the name with which the file was opened. Under another name it sees
/// none, and reads and writes the file without what the log holds.
/// <https://www.sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file>
struct OtherNames {
    /// The path under another name, if a log or a journal lies next to that one.
    static func nameInUse(of database: String, _ fileSystem: FileSystem = .system) -> String? {
        guard !database.isEmpty, let file = try? fileSystem.status(database), file.linkCount > 1
        else { return nil }
        let (folder, own) = database.splitAtLastSlash
        let names = (try? fileSystem.names(folder)) ?? []
        return names.lazy.filter { $0 != own }.map { folder.appendingName($0) }.first { path in
            CompanionFiles(of: path, fileSystem) != nil
                && (try? fileSystem.status(path).identity) == file.identity
        }
    }

    /// - Throws: `SQLITE_CANTOPEN_DIRTYWAL` if a log or a journal lies next to another name.
    static func requireOwnName(
        _ database: String, _ fileSystem: FileSystem = .system
    ) throws(DatabaseError) {
        guard let other = nameInUse(of: database, fileSystem) else { return }
        let name = other.splitAtLastSlash.name
        throw DatabaseError(
            code: .SQLITE_CANTOPEN_DIRTYWAL,
            message: """
                \(database) is another name (hard link) of \(name), next to which lies a log or a \
                journal: under this name, what it holds would be missing. Nothing was changed. Open \
                it as \(name)
                """)
    }
}
