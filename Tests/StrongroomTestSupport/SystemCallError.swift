import Foundation

/// A system call that failed in the machinery of the tests themselves.
public struct SystemCallError: Error, CustomStringConvertible {
    public let call: String
    public let path: String?
    public let code: Int32

    init(_ call: String, path: String? = nil, code: Int32 = errno) {
        self.call = call
        self.path = path
        self.code = code
    }

    public var description: String {
        let place = path.map { " (\($0))" } ?? ""
        return "\(call)\(place): \(String(cString: strerror(code)))"
    }
}
