import StrongroomCore
import StrongroomKeyrings

/// A keyring for a database that is made: the key that is given for it becomes its first slot.
struct ResultKeyring {
    static let option = Option.flag(
        "keyring", help: "create a keyring for OUT: the key becomes its first slot")

    let isWanted: Bool

    /// - Parameter settings: Those of the result.
    init(_ arguments: ParsedArguments, _ settings: ResultSettings? = nil) throws(Failure) {
        isWanted = arguments.contains(Self.option)
        guard !isWanted || settings?.isEmpty ?? true else {
            throw .usage(
                "--keyring takes the settings as they are",
                hint: "leave out the settings of OUT, or rotate to them first")
        }
    }

    /// Calls a closure with the database to be written.
    ///
    /// The keyring is there first: nobody would have the key of a database that was written without it.
    ///
    /// - Parameters:
    ///   - source: The file whose settings the result gets; nil for the usual ones.
    ///   - key: What is given for the result.
    func making<Result>(
        _ destination: String, like source: DatabaseFile?, by key: CipherKey,
        _ body: (DatabaseFile) throws -> Result
    ) throws -> Result {
        guard isWanted else { return try body(DatabaseFile(path: destination, key: key)) }
        let slot = try NewSlot.first(key)
        var (keyring, copy) = try Keyring.create(forCopy: destination, like: source) {
            try slot.add(to: &$0)
        }
        copy.path = destination
        do {
            return try body(copy)
        } catch {
            if !copy.opens() { keyring.withdraw() }
            throw error
        }
    }
}
