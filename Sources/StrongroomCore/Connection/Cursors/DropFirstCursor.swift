/// The elements of a cursor except the first ones.
public final class DropFirstCursor<Base: Cursor>: Cursor {
    @usableFromInline let base: Base
    @usableFromInline var remaining: Int

    @usableFromInline
    init(_ base: Base, _ limit: Int) {
        precondition(limit >= 0, "a negative number of elements")
        self.base = base
        remaining = limit
    }

    @inlinable
    public func next() throws -> Base.Element? {
        while remaining > 0 {
            remaining -= 1
            guard try base.next() != nil else {
                remaining = 0
                return nil
            }
        }
        return try base.next()
    }
}
