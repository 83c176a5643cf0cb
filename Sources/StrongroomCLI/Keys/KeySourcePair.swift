/// The sources of the current key and of the new one.
struct KeySourcePair {
    let current: KeySource
    let new: KeySource?

    init(_ options: KeyOptions, in arguments: ParsedArguments) throws(Failure) {
        current = try KeyOptions.current.source(in: arguments)
        new = try options.optionalSource(in: arguments)
        // A descriptor or a variable gives its key once.
        if let new, new == current, new != .terminal {
            throw .usage(
                "the new key and the current key come from the same source",
                hint: "name another source for the new key")
        }
    }

    /// The present key is no slot of another keyring: that of the database is copied.
    func requireNewKey(for keyring: ResultKeyring) throws(Failure) {
        guard keyring.isWanted, new == nil else { return }
        throw .usage(
            "--keyring needs a new key for OUT",
            hint: "--new-key-file PATH; without a new key, OUT "
                + "gets the keyring of FILE, if it has one")
    }
}
