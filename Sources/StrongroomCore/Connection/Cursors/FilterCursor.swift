/// The elements of a cursor that a function accepts.
public final class FilterCursor<Base: Cursor>: Cursor {
    @usableFromInline let base: Base
    @usableFromInline let isIncluded: (Base.Element) throws -> Bool

    @usableFromInline
    init(_ base: Base, _ isIncluded: @escaping (Base.Element) throws -> Bool) {
        self.base = base
        self.isIncluded = isIncluded
    }

    @inlinable
    public func next() throws -> Base.Element? {
        while let element = try base.next() {
            if try isIncluded(element) { return element }
        }
        return nil
    }

    @inlinable
    public func forEach(_ body: (Base.Element) throws -> Void) throws {
        try base.forEach { if try isIncluded($0) { try body($0) } }
    }
}
