/// Where a key comes from. Never the command line itself.
package enum KeySource: Sendable, Equatable {
    case file(String)
    /// Several files and folders, whose keys are tried.
    case files([String])
    case variable(String)
    case descriptor(Int32)
    case command(String)
    /// A command that unwraps the secret of a slot of a keyring.
    case unlockCommand(String)
    case terminal
}
