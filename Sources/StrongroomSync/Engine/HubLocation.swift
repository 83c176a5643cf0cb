internal import StrongroomCore

extension SyncTransport where Self == FolderHub {
    /// The hub of a folder, which several machines reach.
    ///
    /// - Parameter path: The folder.
    public static func folder(_ path: String) -> FolderHub { FolderHub(path: path) }
}

extension SyncTransport where Self == MemoryHub {
    /// An empty hub in the memory of this process, for tests and previews.
    public static var memory: MemoryHub { MemoryHub() }
}

/// Where a hub is, as tickets name it.
package enum HubLocation {
    private static let folder = "folder:"

    /// The URL of a transport: that of an app's own one says that only the app can open it.
    package static func url(of hub: any SyncTransport) -> String {
        if let folder = hub as? FolderHub { return Self.folder + escaped(folder.path) }
        return hub is MemoryHub ? "mem:" : "app:"
    }

    /// The folder that a URL names; nil for other hubs.
    package static func folderPath(_ url: String) -> String? {
        url.hasPrefix(folder) ? unescaped(url.dropFirst(folder.utf8.count)) : nil
    }

    /// Blanks and percent signs become two digits, as in URLs.
    private static func escaped(_ path: String) -> String {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "%") {
                bytes.append(UInt8(ascii: "%"))
                bytes += Array(Hexadecimal.text([byte]).utf8)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let value = Hexadecimal.bytes(digits.asciiLowercased), value.count == 1 else {
                return nil
            }
            bytes += value
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
