import LibC
import StrongroomCore

/// Environment variables that carry a key.
enum ProcessVariables {
    /// The value goes from the process's environment block into wiped memory, and its place is
    /// overwritten: it shows no longer in `/proc`, and no child process inherits it.
    static func take(_ name: String) -> SecretBytes? {
        guard let value = getenv(name) else { return nil }
        let bytes = UnsafeMutableRawBufferPointer(start: value, count: strlen(value))
        var secret = SecretBytes(capacity: bytes.count)
        secret.append(UnsafeRawBufferPointer(bytes))
        SecretBytes.wipe(bytes)
        unsetenv(name)
        return secret
    }

    /// The value of a variable that is no secret.
    static func value(of name: String) -> String? {
        getenv(name).flatMap { String(validatingCString: $0) }
    }
}
