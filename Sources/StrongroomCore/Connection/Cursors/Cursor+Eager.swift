// Operations that go on until they know their result. They throw what `next()` throws, and what the
// functions given to them throw.

extension Cursor {
    /// Whether no element is left. This consumes one element.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public var isEmpty: Bool {
        get throws { try next() == nil }
    }

    /// Whether a function accepts one of the elements. Elements after it remain.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func contains(where predicate: (Element) throws -> Bool) throws -> Bool {
        try first(where: predicate) != nil
    }

    /// The first element that a function accepts. Elements after it remain.
    ///
    ///     let hero = try Player.fetchCursor(db).first { $0.score > 1000 }
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func first(where predicate: (Element) throws -> Bool) throws -> Element? {
        while let element = try next() {
            if try predicate(element) { return element }
        }
        return nil
    }

    /// All elements except the last one.
    ///
    ///     let allButLast = try Player.fetchCursor(db).dropLast()
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func dropLast() throws -> [Element] {
        try dropLast(1)
    }

    /// All elements except the last ones.
    ///
    /// - Precondition: `n` is not negative.
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func dropLast(_ n: Int) throws -> [Element] {
        precondition(n >= 0, "a negative number of elements")
        return try Array(self).dropLast(n)
    }

    /// The last elements. It never holds more elements than requested.
    ///
    ///     let last = try Player.fetchCursor(db).suffix(3)
    ///
    /// - Precondition: `maxLength` is not negative.
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func suffix(_ maxLength: Int) throws -> [Element] {
        precondition(maxLength >= 0, "a negative number of elements")
        var ring: [Element] = []
        var oldest = 0
        while let element = try next() {
            if ring.count < maxLength {
                ring.append(element)
            } else if maxLength > 0 {
                ring[oldest] = element
                oldest = (oldest + 1) % maxLength
            }
        }
        return Array(ring[oldest...] + ring[..<oldest])
    }

    /// Combines the elements into one result, from left to right.
    ///
    ///     let sum = try Int.fetchCursor(db, sql: "SELECT score FROM player").reduce(0, +)
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func reduce<Result>(
        _ initialResult: Result, _ nextPartialResult: (Result, Element) throws -> Result
    ) throws -> Result {
        var result = initialResult
        while let element = try next() { result = try nextPartialResult(result, element) }
        return result
    }

    /// Combines the elements into one result that changes in place, from left to right.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func reduce<Result>(
        into initialResult: Result, _ update: (inout Result, Element) throws -> Void
    ) throws -> Result {
        var result = initialResult
        while let element = try next() { try update(&result, element) }
        return result
    }

    /// The greatest element in the order of a function; nil if there is none.
    ///
    /// If several are equal, it is the last.
    ///
    ///     let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
    ///     let longest = try names.max { $0.count < $1.count }
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func max(
        by areInIncreasingOrder: (Element, Element) throws -> Bool
    ) throws -> Element? {
        guard var greatest = try next() else { return nil }
        while let element = try next() {
            if try areInIncreasingOrder(greatest, element) { greatest = element }
        }
        return greatest
    }

    /// The smallest element in the order of a function; nil if there is none.
    ///
    /// If several are equal, it is the first.
    ///
    ///     let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
    ///     let shortest = try names.min { $0.count < $1.count }
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func min(
        by areInIncreasingOrder: (Element, Element) throws -> Bool
    ) throws -> Element? {
        guard var least = try next() else { return nil }
        while let element = try next() {
            if try areInIncreasingOrder(element, least) { least = element }
        }
        return least
    }
}

extension Cursor where Element: Equatable {
    /// Whether the remaining elements include an element. Elements after it remain.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func contains(_ element: Element) throws -> Bool {
        try contains { $0 == element }
    }
}

extension Cursor where Element: Comparable {
    /// The greatest element; nil if there is none.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func max() throws -> Element? {
        try max(by: <)
    }

    /// The smallest element; nil if there is none.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func min() throws -> Element? {
        try min(by: <)
    }
}

extension Cursor where Element: StringProtocol {
    /// The elements joined into one string, with a separator.
    ///
    /// - Throws: What the cursor throws, and what a closure throws.
    @inlinable
    public func joined(separator: String = "") throws -> String {
        guard let first = try next() else { return "" }
        return try reduce(into: String(first)) { text, element in
            text += separator
            text += element
        }
    }
}
