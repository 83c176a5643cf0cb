import Foundation
import Strongroom

/// What `--salt-from` names: a file with the digits of a salt, or a copy of a database.
enum SaltFile {
    enum Content {
        case digits(CipherSalt)
        /// An encrypted database, which begins with its salt.
        case copy(CipherSalt)
    }

    static func read(_ path: String) throws(Failure) -> Content {
        guard let file = FileHandle(forReadingAtPath: path),
            let start = try? file.read(upToCount: 4096)
        else {
            throw Failure(.failed, "cannot read a salt from \(path)")
        }
        try? file.close()
        if let text = String(bytes: start, encoding: .utf8) {
            var digits = text.trimmingCharacters(in: .whitespacesAndNewlines)[...]
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
