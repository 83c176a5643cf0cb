/// The elements of a cursor from the first one that a function rejects.
public final class DropWhileCursor<Base: Cursor>: Cursor {
    @usableFromInline let base: Base
    @usableFromInline let predicate: (Base.Element) throws -> Bool
    @usableFromInline var isDropping = true

    @usableFromInline
    init(_ base: Base, _ predicate: @escaping (Base.Element) throws -> Bool) {
        self.base = base
        self.predicate = predicate
    }

    @inlinable
    public func next() throws -> Base.Element? {
        while isDropping, let element = try base.next() {
            if try !predicate(element) {
                isDropping = false
                return element
            }
        }
        return try base.next()
    }
}
