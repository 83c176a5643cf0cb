/// The elements of a cursor with their positions, counted from 0.
public final class EnumeratedCursor<Base: Cursor>: Cursor {
    @usableFromInline let base: Base
    @usableFromInline var position = 0

    @usableFromInline
    init(_ base: Base) {
        self.base = base
    }

    @inlinable
    public func next() throws -> (Int, Base.Element)? {
        guard let element = try base.next() else { return nil }
        defer { position += 1 }
        return (position, element)
    }

    @inlinable
    public func forEach(_ body: ((Int, Base.Element)) throws -> Void) throws {
        try base.forEach { element in
            defer { position += 1 }
            try body((position, element))
        }
    }
}
