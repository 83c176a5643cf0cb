import Foundation

/// A file with the key that authenticates backups and decrypts nothing.
enum VerificationKeyFile {
    private static let prefix = "strongroom-verification-key "

    static func text(_ key: Data) -> String {
        prefix + key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func read(_ path: String) throws -> Data {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Failure(.notFound, "\(path) cannot be read", hint: "check the path")
        }
        var digits = String(decoding: content, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)[...]
        let refusal = Failure(
            .failed, "\(path) is no verification key",
            hint: "strongroom backup verification-key REPO writes one")
        guard digits.hasPrefix(prefix) else { throw refusal }
        digits = digits.dropFirst(prefix.count)
        var bytes = Data()
        while !digits.isEmpty {
            guard let byte = UInt8(digits.prefix(2), radix: 16) else { throw refusal }
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        guard bytes.count == 32 else { throw refusal }
        return bytes
    }
}
