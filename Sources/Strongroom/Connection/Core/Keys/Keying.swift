/// What is known about the key of a connection, and what becomes of one that is given to it.
package struct Keying {
    /// Takes the place of every key that is given, since the file's was rotated.
    package var override: CipherKey?

    /// Who wants to know the key that is given.
    package var note: KeyNote?

    /// Where the connections of a pool find the key derived once for all.
    private(set) var shared: SharedKey?

    /// The passphrase beside the shared key, until the connection is open.
    private(set) var opening: SharedKeyOpening?

    /// Whether the key is kept while the connection is opened, to seek settings with it.
    private var seeksSettings = false

    /// The connection is going to be opened.
    mutating func begin(override: CipherKey?, shared: SharedKey?, seeksSettings: Bool) {
        self.override = override
        self.seeksSettings = seeksSettings
        if seeksSettings { note = KeyNote() }
        self.shared = shared
        opening = shared.map(SharedKeyOpening.init)
    }

    /// The connection is open, or will never be.
    mutating func end() {
        override = nil
        opening = nil
        if seeksSettings { note = nil }
    }
}
