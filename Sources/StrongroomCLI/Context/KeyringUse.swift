/// What a command line says of keyrings.
struct KeyringUse: Sendable {
    /// The only slot that is tried.
    var slot: String?
    /// The key that is given is the database's own, past the keyring.
    var isOff = false
}
