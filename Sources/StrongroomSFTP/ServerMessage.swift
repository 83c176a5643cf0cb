import StrongroomCore

/// What the program that leads to the server wrote to its standard error before it ended.
struct ServerMessage {
    static let largestByteCount = 4096

    let failure: SFTPFailure

    init(_ bytes: [UInt8], program: String, ending: String?) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
            .map { String($0.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }) }
            .filter { !$0.allSatisfy(\.isWhitespace) }
        let last = lines.last { !$0.hasPrefix("usage:") }
        let name = program.splitAtLastSlash.name
        let what = last.map { "\(name): \($0)" } ?? "\(name) \(ending ?? "closed the connection")"
        failure = .lost(what, hint: Self.hint(for: text))
    }

    private static func hint(for text: String) -> String? {
        if text.contains("Permission denied") || text.contains("Authentication failed") {
            return
                "strongroom asks for no password: give ssh a key (ssh-copy-id USER@HOST), or start ssh-agent"
        }
        if text.contains("Host key verification failed") {
            return "connect to the host once with ssh, and compare its key"
        }
        if text.contains("didn't find section in config file") {
            return "`rclone listremotes` shows the remotes that rclone knows"
        }
        return nil
    }
}
