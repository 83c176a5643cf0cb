/// A type-erased cursor.
///
///     let cursor = AnyCursor([1, 2, 3])
public final class AnyCursor<Element>: Cursor {
    @usableFromInline let body: () throws -> Element?
    @usableFromInline var isExhausted = false

    /// Calls a function for each step, until it returns nil.
    ///
    ///     let numbers = AnyCursor([1, 2, 3])
    @inlinable
    public init(_ body: @escaping () throws -> Element?) {
        self.body = body
    }

    /// Wraps another cursor; both advance together.
    @inlinable
    public convenience init<C: Cursor>(_ base: C) where C.Element == Element {
        self.init(base.next)
    }

    /// Returns the elements of a sequence.
    @inlinable
    public convenience init<S: Sequence>(_ base: S) where S.Element == Element {
        self.init(iterator: base.makeIterator())
    }

    /// Returns the remaining elements of an iterator.
    @inlinable
    public convenience init<I: IteratorProtocol>(iterator: I) where I.Element == Element {
        var iterator = iterator
        self.init { iterator.next() }
    }

    @inlinable
    public func next() throws -> Element? {
        if isExhausted { return nil }
        let element = try body()
        if element == nil { isExhausted = true }
        return element
    }
}
