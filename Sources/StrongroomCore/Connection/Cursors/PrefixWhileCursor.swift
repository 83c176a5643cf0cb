/// The elements of a cursor before the first one that a function rejects.
public final class PrefixWhileCursor<Base: Cursor>: Cursor {
    @usableFromInline let base: Base
    @usableFromInline let predicate: (Base.Element) throws -> Bool
    @usableFromInline var isEnded = false

    @usableFromInline
    init(_ base: Base, _ predicate: @escaping (Base.Element) throws -> Bool) {
        self.base = base
        self.predicate = predicate
    }

    @inlinable
    public func next() throws -> Base.Element? {
        guard !isEnded else { return nil }
        guard let element = try base.next(), try predicate(element) else {
            isEnded = true
            return nil
        }
        return element
    }
}
