import StrongroomCore

/// The names of packs by their numbers.
struct PackNames: Sendable {
    private let names: NumberedNames

    init(_ folder: RepositoryFolder) throws {
        names = try NumberedNames(folder) { PackFormat.isName($1, of: $0) }
    }

    /// The names with a number: one, or several for a moment in which a pack is made smaller; nil for none.
    subscript(_ number: UInt32) -> [String]? {
        let entries = names[number]
        return entries.isEmpty ? nil : entries.map(names.text)
    }

    /// All numbers, the smallest first.
    var keys: [UInt32] {
        var keys: [UInt32] = []
        for entry in names.entries where keys.last != entry.number { keys.append(entry.number) }
        return keys
    }

    /// All names with at least a number.
    func texts(from number: UInt32) -> [String] {
        names.entries[names.firstIndex(from: UInt64(number))...].map(names.text)
    }
}

/// The names of packs, listed while something else is done.
struct PackListing {
    private let folder: RepositoryFolder
    private let thread: BackgroundThread<PackNames>

    init(_ folder: RepositoryFolder) {
        self.folder = folder
        thread = BackgroundThread { try PackNames(folder) }
    }

    func names() throws -> PackNames {
        do {
            return try thread.wait()
        } catch is ThreadShortage {
            return try PackNames(folder)
        }
    }
}
