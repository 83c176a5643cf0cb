/// A sequence whose every step may throw, and that is iterated once.
public protocol Cursor<Element>: AnyObject {
    /// What the cursor gives.
    associatedtype Element

    /// Moves to the next element; nil at the end, and for ever after.
    func next() throws -> Element?

    /// Calls a closure with each remaining element.
    func forEach(_ body: (Element) throws -> Void) throws
}

extension Cursor {
    @inlinable
    public func forEach(_ body: (Element) throws -> Void) throws {
        while let element = try next() { try body(element) }
    }
}

extension RangeReplaceableCollection {
    /// Collects what a cursor still has to give.
    @inlinable
    public init<C: Cursor>(_ cursor: C) throws where C.Element == Element {
        self.init()
        while let element = try cursor.next() { append(element) }
    }
}

extension Set {
    /// Collects what a cursor still has to give.
    @inlinable
    public init<C: Cursor>(_ cursor: C) throws where C.Element == Element {
        self.init()
        while let element = try cursor.next() { insert(element) }
    }
}
