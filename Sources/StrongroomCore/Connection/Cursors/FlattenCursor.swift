/// The elements of a cursor's cursors, one after the other.
public final class FlattenCursor<Base: Cursor>: Cursor where Base.Element: Cursor {
    @usableFromInline let base: Base
    @usableFromInline var segment: Base.Element?

    @usableFromInline
    init(_ base: Base) {
        self.base = base
    }

    @inlinable
    public func next() throws -> Base.Element.Element? {
        while true {
            if let element = try segment?.next() { return element }
            segment = nil
            guard let following = try base.next() else { return nil }
            segment = following
        }
    }
}
