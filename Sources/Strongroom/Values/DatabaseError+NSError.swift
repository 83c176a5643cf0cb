public import Foundation
public import StrongroomCore

extension DatabaseError: CustomNSError {
    /// The domain that GRDB uses, so that code written for it keeps matching.
    public static var errorDomain: String { "GRDB.DatabaseError" }

    /// The extended result code.
    public var errorCode: Int { Int(extendedResultCode.rawValue) }

    /// The description, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description]
    }
}
