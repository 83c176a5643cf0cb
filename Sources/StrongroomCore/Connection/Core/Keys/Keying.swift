/// What is known about the key of a connection, and what becomes of one that is given to it.
package struct Keying {
    /// Takes the place of every key that is given, since the file's was rotated.
    private(set) var override: CipherKey?

    /// Who wants to know the key that is given.
    private(set) var note: KeyNote?

    /// Where the connections of a pool find the key derived once for all.
    private(set) var shared: SharedKey?

    /// The passphrase beside the shared key, until the connection is open.
    private(set) var opening: SharedKeyOpening?

    /// A log or a journal that has not been authenticated yet; nil if there is nothing to do.
    var companions: CompanionFiles?

    /// The connection is going to be opened.
    mutating func begin(
        override: CipherKey?, shared: SharedKey?, note: KeyNote?, _ companions: CompanionFiles?
    ) {
        self.override = override
        self.companions = companions
        self.note = note
        self.shared = shared
        opening = shared.map(SharedKeyOpening.init)
    }

    /// The connection is open, or will never be.
    mutating func end() {
        override = nil
        note = nil
        opening = nil
        companions = nil
    }
}
