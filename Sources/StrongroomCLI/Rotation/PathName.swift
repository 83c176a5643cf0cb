import StrongroomCore

/// The name of a file as the system has it: bytes, which mostly are text and need not be.
struct PathName: Equatable, Sendable {
    private let path: String

    /// - Parameter path: As ``PathText`` has it.
    init(_ path: String) { self.path = path }

    /// The name as text: bytes that are no UTF-8 are written `\xE9`.
    var text: String { PathText.visible(path) }

    /// `file`, and for a name that is not UTF-8 `fileBytes`, which are exact, in base64.
    var json: [JSONValue.Member] { [.init("file", .string(path))] }
}
