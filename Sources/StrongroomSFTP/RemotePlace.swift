internal import LibC
package import StrongroomCore

/// A folder on a server that speaks SFTP, and the program that leads there.
///
/// 1. A URL never holds a password. One that does is refused, and is not printed.
/// 2. No part of a URL is an option of a program: a host or a remote that begins with `-` is refused.
package struct RemotePlace: Sendable, Equatable {
    enum Kind: Sendable {
        case ssh, rclone, command
    }

    /// The URL, without slashes at its end: messages name files on the server by it.
    package let text: String
    let kind: Kind
    /// The program and its arguments.
    let words: [String]
    /// Where the folder lies on the server; empty for where the server starts.
    let folder: String

    /// Whether a text is a URL, and not the path of a folder.
    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("rclone:") || text.hasPrefix("exec:") || scheme(of: text) != nil
    }

    /// The `sftp` of `sftp://host/path`.
    private static func scheme(of text: String) -> Substring? {
        guard let end = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<end.lowerBound]
        let isScheme =
            scheme.utf8.first.map(isLetter) == true
            && scheme.utf8.allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
            }
        return isScheme ? scheme : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// - Throws: `SystemError` for a URL that leads nowhere.
    package init(_ url: String) throws(SystemError) {
        if url.utf8.contains(0) { throw Self.refused("the URL", "it contains a NUL character") }
        if url.hasPrefix("exec:") {
            try self.init(command: url)
        } else if url.hasPrefix("rclone:") {
            try self.init(rclone: url)
        } else if url.hasPrefix("sftp://") {
            try self.init(ssh: url)
        } else {
            throw Self.refused(
                "a URL with \(Self.scheme(of: url) ?? "this beginning")://",
                "it is no store that this version knows",
                hint:
                    "use a folder, sftp://USER@HOST/PATH, or rclone:REMOTE:PATH for what rclone knows"
            )
        }
    }

    private init(command url: String) throws(SystemError) {
        let command = String(url.dropFirst("exec:".count))
        guard command.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
            throw Self.refused(
                url, "it names no command", hint: "exec:COMMAND, such as exec:'ssh host -s sftp'")
        }
        text = url
        kind = .command
        words = ["/bin/sh", "-c", command]
        folder = ""
    }

    private init(rclone url: String) throws(SystemError) {
        let url = url.withoutFinalSlashes
        let remote = String(url.dropFirst("rclone:".count))
        let form = "rclone:REMOTE:PATH, where `rclone listremotes` shows REMOTE"
        guard remote.dropFirst().contains(":"), !remote.hasPrefix("-") else {
            throw Self.refused(url, "it names no remote of rclone", hint: form)
        }
        text = url
        kind = .rclone
        // Our requests come nearly in order; it would wait 20 ms for one that comes early.
        words = ["rclone", "serve", "sftp", "--stdio", "--vfs-read-wait", "2ms", remote]
        folder = ""
    }

    private init(ssh url: String) throws(SystemError) {
        let url = url.withoutFinalSlashes
        let rest = url.dropFirst("sftp://".count)
        let authority = rest.prefix { $0 != "/" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] }
        if let user, user.contains(":") {
            throw Self.refused(
                "a URL with a password", "passwords do not belong there: others see them",
                hint: "use sftp://USER@HOST/PATH, and a key of ssh (ssh-copy-id USER@HOST)")
        }
        var host = user.map { authority[$0.endIndex...].dropFirst() } ?? authority
        var port: Substring?
        if let end = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            port = host[host.index(after: end)...]
            host = host[..<end]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let form = "sftp://USER@HOST/PATH or sftp://USER@HOST:PORT/PATH"
        guard !host.isEmpty, !host.hasPrefix("-"), user?.isEmpty != true,
            user?.hasPrefix("-") != true,
            !authority.contains(where: \.isWhitespace)
        else { throw Self.refused(url, "it names no host", hint: form) }
        let number = port.flatMap { UInt16($0) }
        guard port == nil || (number ?? 0) > 0 else {
            throw Self.refused(url, "it has no port from 1 to 65535 after the host", hint: form)
        }
        let path = Self.decoded(rest.dropFirst(authority.count))
        guard !path.isEmpty else { throw Self.refused(url, "it names no folder", hint: form) }
        // One folder has one name, under which a host remembers it. The server stays as it is written: for ssh's own
        // configuration, port 22 is not the usual one, and the case of a host matters.
        let names = rest.dropFirst(authority.count).split(separator: "/").filter { $0 != "." }
        text = "sftp://" + authority + names.map { "/" + $0 }.joined()
        kind = .ssh
        words =
            ["ssh", "-o", "BatchMode=yes"] + (number.map { ["-p", "\($0)"] } ?? [])
            + ["-s", "--", (user.map { "\($0)@" } ?? "") + host, "sftp"]
        folder = path == "/~" ? "." : path.hasPrefix("/~/") ? String(path.dropFirst(3)) : path
    }

    /// A member of the folder, as a URL that leads there.
    package func url(ofMember name: String) -> String {
        guard kind == .ssh else { return text.appendingName(name) }
        return text.appendingName(name.replacing("%", with: "%25"))
    }

    /// `a b` for `a%20b`; what is no such escape stays.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if first == UInt8(ascii: "%"), digits.utf8.count == 2,
                digits.utf8.allSatisfy(Hexadecimal.isDigit),
                let byte = UInt8(digits, radix: 16), byte != 0
            {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return PathText.text(of: bytes)
    }

    private static func refused(
        _ url: String, _ reason: String, hint: String? = nil
    ) -> SystemError {
        SystemError("cannot use", url, number: EINVAL, explanation: reason, hint: hint)
    }
}

extension String {
    /// `/backup/shop` for `/backup/shop/`, and `/` for itself.
    package var withoutFinalSlashes: String {
        var text = Substring(self)
        while text.utf8.count > 1, text.hasSuffix("/"), !text.hasSuffix("://"),
            !text.hasSuffix(":/")
        {
            text.removeLast()
        }
        return String(text)
    }
}
