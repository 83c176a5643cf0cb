internal import StrongroomCore
internal import Synchronization

// Object stores have no empty folders: what stands for one is forgotten with the connection.

extension RemoteServer {
    /// Does something in a folder, which is made again if it is in use here, and the server has none.
    func withFolder<Result>(
        _ path: String, _ client: Client, _ body: () throws(SFTPFailure) -> Result
    ) throws(SFTPFailure) -> Result {
        do throws(SFTPFailure) {
            return try body()
        } catch {
            guard case .status(SFTPFailure.noSuchFile, _) = error, remake(path, client) else {
                throw error
            }
        }
        return try body()
    }

    /// The same for the folder in which a path lies.
    func withFolder<Result>(
        of path: String, _ client: Client, _ body: () throws(SFTPFailure) -> Result
    ) throws(SFTPFailure) -> Result {
        try withFolder(path.splitAtLastSlash.directory, client, body)
    }

    /// - Returns: Whether the folder was missing, and is there now.
    private func remake(_ path: String, _ client: Client) -> Bool {
        guard !client.synchronizes, isInUse(path) else { return false }
        do throws(SFTPFailure) {
            _ = try client.status(path)
            return false
        } catch {
            guard case .status(SFTPFailure.noSuchFile, _) = error else { return false }
        }
        if (try? client.makeFolder(path)) != nil { return true }
        // The folder above it may be missing, too.
        return remake(path.splitAtLastSlash.directory, client)
            && (try? client.makeFolder(path)) != nil
    }

    private func isInUse(_ path: String) -> Bool {
        state.withLock { state in
            state.made.contains(path)
                || state.open.values.contains {
                    if case .folder(path) = $0 { true } else { false }
                }
        }
    }
}
