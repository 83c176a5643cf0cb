/// A sequence whose every step can throw, and that can be iterated only once.
///
///     let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
///     while let row = try rows.next() { … }
///
/// A cursor of the database belongs to the database access that created it, and must not escape it.
public protocol Cursor<Element>: AnyObject {
    /// The type of the elements.
    associatedtype Element

    /// Moves to the next element; nil at the end, and from then on.
    ///
    /// - Throws: An error of the database, or of decoding a value.
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
