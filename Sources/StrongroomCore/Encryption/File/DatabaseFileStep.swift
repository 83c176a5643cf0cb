/// What to do about a ``DatabaseFileError``, where its code does not tell the tool what to type.
package enum DatabaseFileStep: Sendable, Equatable {
    case diagnose, giveSalt, rotateByKeyring, moveLogAway, overwrite
    /// The log or journal with this ending holds changes of a file that is to be replaced.
    case emptyLog(String)
    /// The log of the file at the path has commits that SQLite does not read.
    case keepLog(String, isEncrypted: Bool)
    /// The settings, as the tool takes them.
    case nameSettings(String)
}
