import StrongroomCore

/// Secret bytes of which several know, wiped when the last one is gone.
final class SharedSecret: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}

extension SecretBytes {
    /// A copy of the bytes of a text.
    init(_ text: String) {
        self.init(capacity: text.utf8.count)
        for byte in text.utf8 { append(byte) }
    }
}
