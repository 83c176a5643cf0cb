import StrongroomCore
import StrongroomEssentials

/// A file with the key that authenticates backups and decrypts nothing.
enum VerificationKeyFile {
    private static let prefix = "strongroom-verification-key "

    static func text(_ key: Data) -> String {
        prefix + Hexadecimal.text(key)
    }

    /// Who has it can forge what it authenticates, so that it is to be kept like a key.
    static func read(_ path: String, in context: CommandContext) throws -> Data {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Failure(.notFound, "\(path) cannot be read", hint: "check the path")
        }
        let text = String(decoding: content, as: UTF8.self).trimmingSpace
        let refusal = Failure(
            .failed, "\(path) is no verification key",
            hint: "strongroom backup verification-key REPO prints one")
        guard text.hasPrefix(prefix),
            let bytes = Hexadecimal.bytes(text.dropFirst(prefix.count)), bytes.count == 32
        else { throw refusal }
        KeyFileStatus(at: path)?.warn(of: "the verification key \(path)", path, in: context)
        return Data(bytes)
    }
}
