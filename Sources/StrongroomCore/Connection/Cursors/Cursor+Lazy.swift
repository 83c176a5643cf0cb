// Operations that give another cursor. Nothing is asked of this one before the other is: both move
// together, so use only the last one made.

extension Cursor {
    /// The elements, transformed by a function.
    ///
    ///     let names = try Player.fetchCursor(db).map { $0.name }
    @inlinable
    public func map<T>(_ transform: @escaping (Element) throws -> T) -> MapCursor<Self, T> {
        MapCursor(self, transform)
    }

    /// The elements that a function accepts.
    ///
    ///     let heroes = try Player.fetchCursor(db).filter { $0.score > 1000 }
    @inlinable
    public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilterCursor<Self> {
        FilterCursor(self, isIncluded)
    }

    /// The elements, transformed by a function, without nil results.
    @inlinable
    public func compactMap<T>(
        _ transform: @escaping (Element) throws -> T?
    ) -> MapCursor<FilterCursor<MapCursor<Self, T?>>, T> {
        map(transform).filter { $0 != nil }.map { element in
            guard let element else { preconditionFailure("an element that the filter refused") }
            return element
        }
    }

    /// The elements with their positions, counted from 0.
    ///
    ///     let names = try String.fetchCursor(db, sql: "SELECT name FROM player").enumerated()
    ///     while let (index, name) = try names.next() { print(index, name) }
    @inlinable
    public func enumerated() -> EnumeratedCursor<Self> {
        EnumeratedCursor(self)
    }

    /// The elements except the first one.
    ///
    ///     let rest = try Player.fetchCursor(db).dropFirst(10)
    @inlinable
    public func dropFirst() -> DropFirstCursor<Self> {
        dropFirst(1)
    }

    /// The elements except the first ones.
    ///
    /// - Precondition: `n` is not negative.
    @inlinable
    public func dropFirst(_ n: Int) -> DropFirstCursor<Self> {
        DropFirstCursor(self, n)
    }

    /// The elements from the first one that a function rejects.
    @inlinable
    public func drop(
        while predicate: @escaping (Element) throws -> Bool
    ) -> DropWhileCursor<Self> {
        DropWhileCursor(self, predicate)
    }

    /// At most this number of elements; it requests no more.
    ///
    ///     let some = try Player.fetchCursor(db).prefix(10)
    ///
    /// - Precondition: `maxLength` is not negative.
    @inlinable
    public func prefix(_ maxLength: Int) -> PrefixCursor<Self> {
        PrefixCursor(self, maxLength)
    }

    /// The elements before the first one that a function rejects.
    @inlinable
    public func prefix(
        while predicate: @escaping (Element) throws -> Bool
    ) -> PrefixWhileCursor<Self> {
        PrefixWhileCursor(self, predicate)
    }

    /// The elements of the cursors that a function returns for the elements, one after the other.
    @inlinable
    public func flatMap<Segment: Cursor>(
        _ transform: @escaping (Element) throws -> Segment
    ) -> FlattenCursor<MapCursor<Self, Segment>> {
        map(transform).joined()
    }

    /// The elements of the sequences that a function returns for the elements, one after the other.
    @inlinable
    public func flatMap<Segment: Sequence>(
        _ transform: @escaping (Element) throws -> Segment
    ) -> FlattenCursor<MapCursor<Self, AnyCursor<Segment.Element>>> {
        flatMap { try AnyCursor(transform($0)) }
    }
}

extension Cursor where Element: Cursor {
    /// The elements of all the cursors, one after the other.
    @inlinable
    public func joined() -> FlattenCursor<Self> {
        FlattenCursor(self)
    }
}

extension Cursor where Element: Sequence {
    /// The elements of all the sequences, one after the other.
    @inlinable
    public func joined() -> FlattenCursor<MapCursor<Self, AnyCursor<Element.Element>>> {
        flatMap { $0 }
    }
}

extension Sequence {
    /// The elements of the cursors that a function returns for the elements, one after the other.
    @inlinable
    public func flatMap<Segment: Cursor>(
        _ transform: @escaping (Element) throws -> Segment
    ) -> FlattenCursor<MapCursor<AnyCursor<Element>, Segment>> {
        AnyCursor(self).flatMap(transform)
    }
}
