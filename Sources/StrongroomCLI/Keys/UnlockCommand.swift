import StrongroomCore
import StrongroomKeyrings

/// What unwraps the secret of a slot: a call of a key-management service, or of a chip.
///
/// It comes from the command line, and never from a keyring: that anyone may have written.
struct UnlockCommand: Sendable {
    /// What is wrapped.
    static let secretByteCount = 32

    private let command: String
    private let withheldKeys: WithheldKeys
    private let cancellation: Cancellation

    init(_ command: String, _ context: CommandContext) {
        self.command = command
        withheldKeys = context.withheldKeys
        cancellation = context.cancellation
    }

    /// What the command prints, which gets the wrapped secret on standard input.
    func secret(_ blob: [UInt8]) throws -> SecretBytes {
        var input = SecretBytes(capacity: blob.count)
        for byte in blob { input.append(byte) }
        var output = try KeyCommand(command, title: "the unlock command").output(
            limit: KeyReader.limit, feeding: input, withholding: withheldKeys, cancellation)
        // Commands that print text end it with a newline.
        let endsLine = output.withUnsafeBytes { $0.last == UInt8(ascii: "\n") }
        if endsLine, output.count == Self.secretByteCount + 1 {
            output.truncate(to: Self.secretByteCount)
        }
        guard output.count == Self.secretByteCount else {
            throw Failure(
                .wrongKey, "the unlock command printed \(output.count) bytes, which is no secret",
                hint: "it has to print the \(Self.secretByteCount) bytes that the wrap command got")
        }
        return output
    }
}

/// What wraps the secret of a slot, which it gets on standard input.
struct WrapCommand {
    private static let limit = 1 << 16

    private let command: String
    private let context: CommandContext

    init(_ command: String, _ context: CommandContext) {
        self.command = command
        self.context = context
    }

    /// What the command prints: it is kept in the keyring.
    func blob(_ secret: borrowing SecretBytes) throws -> [UInt8] {
        let input = secret.withUnsafeBytes { SecretBytes(copying: $0) }
        let output = try KeyCommand(command, title: "the wrap command").output(
            limit: Self.limit, feeding: input, withholding: context.withheldKeys,
            context.cancellation)
        return output.withUnsafeBytes { Array($0) }
    }
}
