import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct CursorTests {
    private struct Broken: Error {}

    /// 1, 2, … and an error instead of the number `broken`.
    private func numbers(_ range: ClosedRange<Int>, broken: Int? = nil) -> AnyCursor<Int> {
        var iterator = range.makeIterator()
        return AnyCursor {
            let number = iterator.next()
            if let broken, number == broken { throw Broken() }
            return number
        }
    }

    private func rest<C: Cursor>(_ cursor: C) throws -> [C.Element] {
        let elements = try Array(cursor)
        #expect(try cursor.next() == nil)
        #expect(try cursor.next() == nil)
        return elements
    }

    @Test(.proves("ROW-026", "ROW-051"))
    func `Any cursor wraps a cursor, a sequence, an iterator or a function`() throws {
        #expect(try rest(AnyCursor([1, 2])) == [1, 2])
        #expect(try rest(AnyCursor(iterator: Set([1]).makeIterator())) == [1])
        let base = numbers(1...3)
        let wrapped: AnyCursor<Int> = AnyCursor(base)
        #expect(try wrapped.next() == 1)
        #expect(try base.next() == 2)
        #expect(try rest(wrapped) == [3])
        var answers: [Int?] = [1, nil, 2]
        #expect(try rest(AnyCursor { answers.removeFirst() }) == [1])
        #expect(answers == [2])
        let failing = numbers(1...3, broken: 2)
        #expect(try failing.next() == 1)
        #expect(throws: Broken.self) { try failing.next() }
        #expect(try failing.next() == 3)
    }

    private final class Announced: Cursor {
        var usesOfForEach = 0

        func next() throws -> Int? { nil }

        func forEach(_ body: (Int) throws -> Void) throws {
            usesOfForEach += 1
            try body(7)
        }
    }

    @Test(.proves("ROW-027", "ROW-028"))
    func `A cursor visits its elements, in its own way if it has one`() throws {
        var visited: [Int] = []
        try numbers(1...3).forEach { visited.append($0) }
        #expect(visited == [1, 2, 3])
        #expect(throws: Broken.self) { try numbers(1...3, broken: 2).forEach { _ in } }
        #expect(throws: Broken.self) { try numbers(1...3).forEach { _ in throw Broken() } }
        let announced = Announced()
        func visit(_ cursor: some Cursor<Int>) throws { try cursor.forEach { visited.append($0) } }
        try visit(announced)
        #expect(announced.usesOfForEach == 1 && visited.last == 7)
        let cursor = numbers(1...2)
        #expect(try !cursor.isEmpty)
        #expect(try cursor.next() == 2)
        #expect(try cursor.isEmpty && cursor.isEmpty)
        #expect(throws: Broken.self) { try numbers(1...1, broken: 1).isEmpty }
    }

    @Test(.proves("ROW-029"))
    func `Lazy operations give what those of sequences give`() throws {
        #expect(try rest(numbers(1...3).map { $0 * 2 }) == [2, 4, 6])
        #expect(try rest(numbers(1...4).filter { $0 % 2 == 0 }) == [2, 4])
        #expect(try rest(numbers(1...4).compactMap { $0 % 2 == 0 ? "\($0)" : nil }) == ["2", "4"])
        #expect(try rest(numbers(1...3).dropFirst()) == [2, 3])
        #expect(try rest(numbers(1...3).dropFirst(2)) == [3])
        #expect(try rest(numbers(1...3).dropFirst(0)) == [1, 2, 3])
        #expect(try rest(numbers(1...3).dropFirst(9)) == [])
        #expect(try rest(numbers(1...4).drop { $0 != 3 }) == [3, 4])
        #expect(try rest(numbers(1...4).drop { $0 != 9 }) == [])
        #expect(try rest(numbers(1...4).drop { $0 == 3 }) == [1, 2, 3, 4])
        #expect(try rest(numbers(1...4).prefix(2)) == [1, 2])
        #expect(try rest(numbers(1...4).prefix(0)) == [])
        #expect(try rest(numbers(1...4).prefix(9)) == [1, 2, 3, 4])
        #expect(try rest(numbers(1...4).prefix { $0 < 3 }) == [1, 2])
        #expect(try rest(numbers(5...6).enumerated().map { "\($0):\($1)" }) == ["0:5", "1:6"])
        #expect(try rest(numbers(0...2).flatMap { Array(repeating: $0, count: $0) }) == [1, 2, 2])
        #expect(try rest(numbers(1...2).flatMap { self.numbers(0...$0) }) == [0, 1, 0, 1, 2])
        #expect(try rest(AnyCursor([[1, 2], [], [3]]).joined()) == [1, 2, 3])
        #expect(try rest(AnyCursor([numbers(1...2), numbers(7...7)]).joined()) == [1, 2, 7])
    }

    @Test(.proves("ROW-029"))
    func `Lazy operations take no more than they give`() throws {
        let base = numbers(1...9)
        let prefix = base.prefix(2)
        #expect(try rest(prefix) == [1, 2])
        #expect(try base.next() == 3)
        let mapped = base.map { $0 }
        #expect(try base.next() == 4)
        #expect(try mapped.next() == 5)
        #expect(try rest(base.prefix { $0 < 7 }) == [6])
        #expect(try base.next() == 8)
    }

    @Test(.proves("ROW-026", "ROW-029"))
    func `Errors pass through lazy operations, which then go on`() throws {
        func check<C: Cursor>(_ cursor: C, _ expected: [C.Element]) throws
        where C.Element: Equatable {
            var elements: [C.Element] = []
            var errors = 0
            while true {
                do {
                    guard let element = try cursor.next() else { break }
                    elements.append(element)
                } catch is Broken {
                    errors += 1
                }
            }
            #expect(elements == expected)
            #expect(errors == 1)
        }
        func base() -> AnyCursor<Int> { numbers(1...4, broken: 2) }
        try check(base().map { $0 }, [1, 3, 4])
        try check(base().filter { $0 != 3 }, [1, 4])
        try check(base().dropFirst(), [3, 4])
        try check(base().dropFirst(2), [3, 4])
        try check(base().drop { $0 < 4 }, [4])
        try check(base().prefix(2), [1, 3])
        try check(base().prefix { $0 < 4 }, [1, 3])
        try check(base().compactMap { $0 == 3 ? nil : $0 }, [1, 4])
        try check(base().flatMap { [$0] }, [1, 3, 4])
        try check(numbers(1...4).map { if $0 == 2 { throw Broken() } else { $0 } }, [1, 3, 4])
    }

    @Test(.proves("ROW-030"))
    func `Eager operations give what those of sequences give`() throws {
        #expect(try numbers(1...3).contains(2) && !numbers(1...3).contains(9))
        #expect(try numbers(1...3).contains { $0 > 2 } && !numbers(1...3).contains { $0 > 3 })
        #expect(try numbers(1...3).first { $0 > 1 } == 2)
        #expect(try numbers(1...3).first { $0 > 3 } == nil)
        #expect(try numbers(1...3).dropLast() == [1, 2])
        #expect(try numbers(1...3).dropLast(2) == [1])
        #expect(try numbers(1...3).dropLast(9) == [])
        #expect(try numbers(1...9).suffix(4) == [6, 7, 8, 9])
        #expect(try numbers(1...2).suffix(4) == [1, 2])
        #expect(try numbers(1...2).suffix(0) == [])
        #expect(try numbers(1...3).reduce(10, +) == 16)
        #expect(try numbers(1...3).reduce(into: []) { $0.insert($1, at: 0) } == [3, 2, 1])
        #expect(try AnyCursor([2, 3, 1]).max() == 3)
        #expect(try AnyCursor([2, 3, 1]).min() == 1)
        #expect(try AnyCursor([Int]()).max() == nil && AnyCursor([Int]()).min() == nil)
        #expect(
            try AnyCursor(["a", "B", "c", "C"]).max { $0.lowercased() < $1.lowercased() } == "c")
        #expect(try AnyCursor(["c", "B", "b"]).min { $0.lowercased() < $1.lowercased() } == "B")
        #expect(try AnyCursor(["a", "b"]).joined(separator: ", ") == "a, b")
        #expect(try AnyCursor(["a", "b"]).joined() == "ab")
        #expect(try AnyCursor([String]()).joined(separator: ",") == "")
        #expect(throws: Broken.self) { try numbers(1...3, broken: 3).suffix(1) }
    }

    @Test(.proves("ROW-032", "ROW-052"))
    func `The types of results can be written`() throws {
        let text: (Int) throws -> String? = { $0 == 2 ? nil : "\($0)" }
        let compact: MapCursor<FilterCursor<MapCursor<AnyCursor<Int>, String?>>, String> =
            numbers(1...3).compactMap(text)
        #expect(try rest(compact) == ["1", "3"])
        let cursors: FlattenCursor<MapCursor<AnyCursor<Int>, AnyCursor<Int>>> =
            numbers(1...2).flatMap { self.numbers(1...$0) }
        #expect(try rest(cursors) == [1, 1, 2])
        let sequences: FlattenCursor<MapCursor<AnyCursor<Int>, AnyCursor<Int>>> =
            numbers(1...2).flatMap { 1...$0 }
        #expect(try rest(sequences) == [1, 1, 2])
        let fromSequence: FlattenCursor<MapCursor<AnyCursor<Int>, AnyCursor<Int>>> =
            [1, 2].flatMap { self.numbers(1...$0) }
        #expect(try rest(fromSequence) == [1, 1, 2])
        let cut: DropFirstCursor<PrefixCursor<DropWhileCursor<PrefixWhileCursor<AnyCursor<Int>>>>> =
            numbers(1...9).prefix { $0 < 9 }.drop { $0 < 2 }.prefix(4).dropFirst(1)
        #expect(try rest(cut) == [3, 4, 5])
        let enumerated: EnumeratedCursor<AnyCursor<Int>> = numbers(3...3).enumerated()
        #expect(try enumerated.next() ?? (9, 9) == (0, 3))
    }

    @Test(.proves("ROW-033", "ROW-050"))
    func `Collections are made of cursors, and take more from them`() throws {
        #expect(try Array(numbers(1...3)) == [1, 2, 3])
        #expect(try Array(numbers(1...3), minimumCapacity: 100).capacity >= 100)
        #expect(try ContiguousArray(numbers(1...3)) == [1, 2, 3])
        #expect(try String(AnyCursor("abc")) == "abc")
        #expect(try Set(numbers(1...3)) == [1, 2, 3])
        #expect(try Set(numbers(1...3), minimumCapacity: 100).capacity >= 100)
        let parity = [0: [2, 4], 1: [1, 3]]
        #expect(try Dictionary(grouping: numbers(1...4)) { $0 % 2 } == parity)
        let roomy = try Dictionary(minimumCapacity: 100, grouping: numbers(1...4)) { $0 % 2 }
        #expect(roomy == parity && roomy.capacity >= 100)
        let pairs = { self.numbers(1...2).map { ($0, "\($0)") } }
        #expect(try Dictionary(uniqueKeysWithValues: pairs()) == [1: "1", 2: "2"])
        let unique = try Dictionary(minimumCapacity: 100, uniqueKeysWithValues: pairs())
        #expect(unique == [1: "1", 2: "2"] && unique.capacity >= 100)
        let error = #expect(throws: DatabaseError.self) {
            try Dictionary(uniqueKeysWithValues: AnyCursor([(1, "a"), (1, "b")]))
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        var array = [0]
        try array.append(contentsOf: numbers(1...2))
        #expect(array == [0, 1, 2])
        var set: Set = [2, 3, 9]
        #expect(try set.union(numbers(1...2)) == [1, 2, 3, 9])
        #expect(try set.intersection(numbers(1...3)) == [2, 3])
        try set.formUnion(numbers(4...4))
        #expect(set == [2, 3, 4, 9])
        #expect(throws: Broken.self) { try set.formIntersection(numbers(1...3, broken: 3)) }
        #expect(set == [2, 3, 4, 9])
        try set.formIntersection(numbers(1...3))
        #expect(set == [2, 3])
        #expect(throws: Broken.self) { try array.append(contentsOf: numbers(8...9, broken: 9)) }
        #expect(array == [0, 1, 2, 8])
    }
}
