/// What to do about a ``DatabaseFileError``, where its code does not tell the tool what to type.
package enum DatabaseFileStep: Sendable, Equatable {
    case diagnose, giveSalt
    /// The settings, as the tool takes them.
    case nameSettings(String)
}
