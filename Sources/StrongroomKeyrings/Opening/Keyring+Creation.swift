import StrongroomCore
package import StrongroomEssentials

// A keyring outlives its database. It is the only one to know that the database was lost, and that an app, which found
// no file, created another: that one has the key and the salt of the first, and gets other ones with the next rotation.

extension Keyring {
    private static let creation = "create"

    /// Notes that a database is created, if there is none.
    ///
    /// Where this user cannot write the keyring, nothing is noted.
    func noteCreation(
        _ open: OpenKeyring, unlockingWith unlocker: Unlocker, _ memory: KeyringMemory?
    ) {
        guard (try? file.hasDatabase()) == false else { return }
        try? file.withLock {
            // Another process may have created it meanwhile, or changed the keyring.
            guard try !file.hasDatabase() else { return }
            let present = try Keyring(file.read(), in: file)
            let open =
                present.text.bytes == open.text.bytes
                ? open : try present.open(with: unlocker, requiring: Requirements(), memory)
            guard open.keys.count == 1, let key = open.keys[0] else { return }
            var content = open.content
            // An app that opens an empty file again and again fills no log.
            if content.events.last?.what == Self.creation { content.events.removeLast() }
            content.events.append(.now(Self.creation, key: key.identifier))
            _ = try write(content, open)
        }
    }

    /// When the database was created, if that is not among the events of an earlier keyring of it.
    ///
    /// - Returns: Nil, too, if an earlier database was restored since.
    package func creation(after earlier: Keyring) -> Date? {
        let marks = [Self.creation, "restore"]
        guard identifier == earlier.identifier,
            let last = content.events.last(where: { marks.contains($0.what) }),
            last.what == Self.creation, !earlier.content.events.contains(last)
        else { return nil }
        return WrittenTime.date(of: last.time)
    }
}
