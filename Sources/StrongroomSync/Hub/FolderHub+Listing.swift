import StrongroomCore

extension FolderHub {
    public func list(
        _ prefix: String, after name: String?, limit: Int
    ) async throws -> HubListing {
        try HubObject.require(prefix, isPrefix: true)
        return try await run(prefix) { files in
            let words = prefix.split(separator: "/", omittingEmptySubsequences: false)
            let above = words.dropLast().map(String.init)
            var listing = Listing(prefix: prefix, after: name, limit: limit)
            _ = try withFolder(above[...], files) { folder in
                try listing.add(folder, at: above.map { $0 + "/" }.joined())
            }
            return HubListing(
                names: Array(listing.names.prefix(limit)), hasMore: listing.names.count > limit)
        }
    }

    /// The names of a prefix, found folder by folder in the order of their bytes.
    private struct Listing {
        let prefix: String
        let after: String?
        let limit: Int
        /// One more than asked for shows that there are more.
        private(set) var names: [String] = []

        init(prefix: String, after: String?, limit: Int) {
            self.prefix = prefix
            self.after = after
            self.limit = max(limit, 1)
        }

        /// - Parameter path: That of the folder in the hub, with a slash at its end.
        mutating func add(_ folder: borrowing HubFolder, at path: String) throws {
            var entries: [String] = []
            try folder.forEachEntry { name, status in
                let end = status.kind == .directory ? "/" : ""
                guard status.kind == .directory || status.kind == .file else { return }
                entries.append(path + name + end)
            }
            // A folder sorts by its name with the slash, as the names in it do.
            for entry in entries.sorted() where names.count <= limit {
                if entry.hasSuffix("/") {
                    guard leads(to: entry) else { continue }
                    let name = String(entry.dropFirst(path.utf8.count).dropLast())
                    guard HubObject.isName(name, isPrefix: true),
                        let inner = try folder.folder(name)
                    else { continue }
                    try add(inner, at: entry)
                } else if entry.hasPrefix(prefix), after.map({ $0 < entry }) ?? true,
                    HubObject.isName(entry)
                {
                    names.append(entry)
                }
            }
        }

        /// Whether a folder may have names that are asked for.
        private func leads(to folder: String) -> Bool {
            guard folder.hasPrefix(prefix) || prefix.hasPrefix(folder) else { return false }
            guard let after else { return true }
            return after < folder || after.hasPrefix(folder)
        }
    }
}
