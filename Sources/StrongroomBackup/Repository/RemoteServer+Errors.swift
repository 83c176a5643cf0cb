import StrongroomCore
internal import StrongroomSFTP

extension RemoteServer {
    /// The server that a URL leads to; nil for the path of a folder.
    ///
    /// - Throws: ``BackupError`` for a URL that leads nowhere.
    static func leading(to text: String) throws(BackupError) -> RemoteServer? {
        do throws(SystemError) {
            return try at(text)
        } catch {
            throw BackupError(error, error.path)
        }
    }
}
