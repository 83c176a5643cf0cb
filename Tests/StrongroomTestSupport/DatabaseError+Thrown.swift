public import Strongroom

extension DatabaseError {
    /// The error of this type that a closure throws, if it does: where `#expect(throws:)` would be
    /// nested, which does not compile.
    public static func thrown(by body: () throws -> Void) -> DatabaseError? {
        do {
            try body()
            return nil
        } catch {
            return error as? DatabaseError
        }
    }
}
