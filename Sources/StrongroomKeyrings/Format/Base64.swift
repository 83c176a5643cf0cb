import StrongroomCore
internal import StrongroomEssentials

/// Base64 in the standard alphabet with padding, in its only form.
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Nil for anything that is not what ``text(_:)`` gives.
    static func bytes(_ text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
            return nil
        }
        return [UInt8](data)
    }
}
