package import StrongroomCore
internal import Synchronization

extension RemoteServer {
    /// What the server cannot do, in words for whoever creates a repository there.
    ///
    /// - Throws: `SystemError` if it cannot be reached.
    package func shortcomings() throws(SystemError) -> [String] {
        let client = try attempt("connect", place.folder) { client, _ throws(SFTPFailure) in client
        }
        var words: [String] = []
        if !client.renamesOver {
            words.append(
                "this server cannot replace a file in one step (posix-rename@openssh.com): if the connection is cut "
                    + "at that instant, head may be damaged, so keep a second copy of the repository"
            )
        }
        if !client.synchronizes {
            words.append(
                "this server does not confirm that data has reached its disk (fsync@openssh.com): if it loses power, "
                    + "the last backup may be lost")
        }
        if place.kind == .rclone {
            words.append(
                "rclone may replace head in two steps: if it is killed between them, head is missing, and "
                    + "strongroom backup repair --rebuild-head writes it again")
            words.append(
                "rclone shows new files to other hosts late: let one host at a time write to this repository"
            )
        }
        return words
    }
}
