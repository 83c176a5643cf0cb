// What the standard library's collections take from a cursor: all that it still has to give.

extension RangeReplaceableCollection {
    /// Collects the remaining elements of a cursor.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public init<C: Cursor>(_ cursor: C) throws where C.Element == Element {
        self.init()
        try append(contentsOf: cursor)
    }

    /// Collects the remaining elements of a cursor, reserving capacity for them.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public init<C: Cursor>(
        _ cursor: C, minimumCapacity: Int
    ) throws where C.Element == Element {
        self.init()
        reserveCapacity(minimumCapacity)
        try append(contentsOf: cursor)
    }

    /// Appends the remaining elements of a cursor; elements before an error stay appended.
    ///
    ///     var names: [String] = []
    ///     try names.append(contentsOf: String.fetchCursor(db, sql: "SELECT name FROM player"))
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public mutating func append<C: Cursor>(
        contentsOf newElements: C
    ) throws where C.Element == Element {
        try newElements.forEach { append($0) }
    }
}

extension Set {
    /// Collects the remaining elements of a cursor.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public init<C: Cursor>(_ cursor: C) throws where C.Element == Element {
        self.init()
        try formUnion(cursor)
    }

    /// Collects the remaining elements of a cursor, reserving capacity for them.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public init<C: Cursor>(
        _ cursor: C, minimumCapacity: Int
    ) throws where C.Element == Element {
        self.init(minimumCapacity: minimumCapacity)
        try formUnion(cursor)
    }

    /// The elements of the set and those of a cursor.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func union<C: Cursor>(_ other: C) throws -> Set where C.Element == Element {
        var result = self
        try result.formUnion(other)
        return result
    }

    /// Inserts the elements of a cursor; elements before an error stay inserted.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public mutating func formUnion<C: Cursor>(_ other: C) throws where C.Element == Element {
        try other.forEach { insert($0) }
    }

    /// The elements that are both in the set and in a cursor.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func intersection<C: Cursor>(_ other: C) throws -> Set where C.Element == Element {
        var result = Set()
        try other.forEach { element in
            if contains(element) { result.insert(element) }
        }
        return result
    }

    /// Removes elements that are not in a cursor; an error leaves the set unchanged.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public mutating func formIntersection<C: Cursor>(
        _ other: C
    ) throws where C.Element == Element {
        self = try intersection(other)
    }
}

extension Dictionary {
    /// Groups the elements of a cursor by the key that a function returns for each.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public init<C: Cursor>(
        grouping values: C, by keyForValue: (C.Element) throws -> Key
    ) throws where Value == [C.Element] {
        try self.init(minimumCapacity: 0, grouping: values, by: keyForValue)
    }

    /// Groups the elements of a cursor by a key, reserving capacity for the keys.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public init<C: Cursor>(
        minimumCapacity: Int, grouping values: C, by keyForValue: (C.Element) throws -> Key
    ) throws where Value == [C.Element] {
        self.init(minimumCapacity: minimumCapacity)
        try values.forEach { value in
            self[try keyForValue(value), default: []].append(value)
        }
    }

    /// Collects the pairs of a cursor.
    ///
    /// - Throws: `SQLITE_MISUSE` if a key occurs twice: content of a database must not trap.
    @inlinable
    public init<C: Cursor>(
        uniqueKeysWithValues keysAndValues: C
    ) throws where C.Element == (Key, Value) {
        try self.init(minimumCapacity: 0, uniqueKeysWithValues: keysAndValues)
    }

    /// Collects the pairs of a cursor, reserving capacity for them.
    ///
    /// - Throws: `SQLITE_MISUSE` if a key occurs twice: content of a database must not trap.
    @inlinable
    public init<C: Cursor>(
        minimumCapacity: Int, uniqueKeysWithValues keysAndValues: C
    ) throws where C.Element == (Key, Value) {
        self.init(minimumCapacity: minimumCapacity)
        try keysAndValues.forEach { key, value in
            guard updateValue(value, forKey: key) == nil else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISUSE,
                    message: "a key occurs twice: group the elements with Dictionary(grouping:by:)")
            }
        }
    }
}
