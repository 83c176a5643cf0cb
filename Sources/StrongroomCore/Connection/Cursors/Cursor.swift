/// A sequence whose every step may throw, and that is iterated once.
///
///     let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
///     while let row = try rows.next() { … }
///
/// A cursor of the database belongs to the database access that made it, and must not escape it.
public protocol Cursor<Element>: AnyObject {
    /// What the cursor gives.
    associatedtype Element

    /// Moves to the next element; nil at the end, and for ever after.
    ///
    /// - Throws: An error of the database, or a value that cannot be decoded.
    func next() throws -> Element?

    /// Calls a closure with each remaining element.
    ///
    ///     try Player.fetchCursor(db).forEach { print($0.name) }
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    func forEach(_ body: (Element) throws -> Void) throws
}

extension Cursor {
    @inlinable
    public func forEach(_ body: (Element) throws -> Void) throws {
        while let element = try next() { try body(element) }
    }
}
