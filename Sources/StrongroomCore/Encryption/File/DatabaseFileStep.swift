/// What to do about a ``DatabaseFileError``, where its code does not tell the tool what to type.
package enum DatabaseFileStep: Sendable, Equatable {
    case diagnose, giveSalt
    /// The log or journal with this ending holds changes of a file that is to be replaced.
    case emptyLog(String)
    /// The settings, as the tool takes them.
    case nameSettings(String)
}
