/// What tells apart what was added to counters.
///
/// A file that was copied has notes that the other file has, too, and both send them: each under its own run. By their
/// tokens they find what is twice, and one of both takes it out of its run again.
///
/// 1. What a run adds first, counts. A run that began as the copy of another one says which tokens it has *moved*: they
///    give way to those that are added, and of two runs that have moved one, to those of the run with the lower bytes.
/// 2. The token of what is taken out follows from the token of what was added: a copy of that file finds it, too.
package struct CounterTokens: Hashable, Sendable {
    /// In one unit. What is added beyond has none, and may count twice in a copy.
    static let limit = 4096

    package var added: [UInt64] = []
    /// Those of a run before.
    package var moved: [UInt64] = []

    package init() {}

    init(_ reader: inout ObjectReader) throws(Refusal) {
        added = try Self.list(&reader)
        moved = try Self.list(&reader)
        guard !isEmpty else { throw .malformed("no tokens where some are announced") }
    }

    package var isEmpty: Bool { added.isEmpty && moved.isEmpty }

    /// The token of taking out what a run has moved.
    static func token(takingOut token: UInt64, of run: Run) -> UInt64 {
        // A function that has an inverse, such as those of generators of random numbers: no two tokens get one.
        var mixed = token &+ run.low &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func list(_ reader: inout ObjectReader) throws(Refusal) -> [UInt64] {
        let count = try reader.count(eachAtLeast: 8)
        guard count <= limit else { throw .malformed("more tokens than a unit has") }
        var list: [UInt64] = []
        for _ in 0..<count { list.append(try reader.fixed()) }
        return list
    }
}

extension [UInt8] {
    mutating func append(_ tokens: CounterTokens) {
        for list in [tokens.added, tokens.moved] {
            append(number: UInt64(list.count))
            for token in list { append(fixed: token) }
        }
    }
}
