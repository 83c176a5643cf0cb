/// At most a given number of elements of a cursor.
public final class PrefixCursor<Base: Cursor>: Cursor {
    @usableFromInline let base: Base
    @usableFromInline var remaining: Int

    @usableFromInline
    init(_ base: Base, _ maxLength: Int) {
        precondition(maxLength >= 0, "a negative number of elements")
        self.base = base
        remaining = maxLength
    }

    @inlinable
    public func next() throws -> Base.Element? {
        guard remaining > 0, let element = try base.next() else { return nil }
        remaining -= 1
        return element
    }
}
