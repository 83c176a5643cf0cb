import LibC
import StrongroomCore

/// What `--salt-from` names: a file with the digits of a salt, or a copy of a database.
enum SaltFile {
    enum Content {
        case digits(CipherSalt)
        /// An encrypted database, which begins with its salt.
        case copy(CipherSalt)
    }

    static func read(_ path: String) throws(Failure) -> Content {
        guard let file = try? Descriptor.open(path, O_RDONLY) else {
            throw Failure(.failed, "cannot read a salt from \(path)")
        }
        defer { file.close() }
        let start = file.bytes(at: 0, count: 4096)
        if let text = String(validating: start, as: UTF8.self) {
            var digits = text.trimmingSpace
            if digits.hasPrefix("x'"), digits.hasSuffix("'") {
                digits = digits.dropFirst(2).dropLast()
            }
            if let salt = CipherSalt(hexadecimal: String(digits)) { return .digits(salt) }
        }
        guard start.count >= FileVerdict.smallestPageSize,
            !start.starts(with: DatabaseHeader.magic),
            let salt = CipherSalt(start.prefix(CipherSalt.byteCount))
        else {
            throw Failure(
                .failed, "\(path) holds no salt",
                hint: "name a file with 32 hexadecimal digits, or an encrypted copy of the "
                    + "database without a plaintext header")
        }
        return .copy(salt)
    }
}
