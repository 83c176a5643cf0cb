/// Finds columns by name: an exact match costs a few comparisons, another case some more.
struct ColumnLookup: Sendable {
    /// Two names differ only in case, so that an exact match need not be the leftmost.
    private let hasNamesThatFold: Bool
    /// No two names are the same in lower case, so that an exact match is the leftmost.
    let hasDistinctNames: Bool
    /// Names in lower case with their leftmost column, where there are too many to look through.
    private let indexes: [String: Int]?

    private static let largestScan = 24

    init(_ names: [String]) {
        let folded = names.map { $0.lowercased() }
        let distinct = Set(folded).count
        hasNamesThatFold = distinct < Set(names).count
        hasDistinctNames = distinct == names.count
        indexes =
            names.count > Self.largestScan
            ? Dictionary(zip(folded, 0...), uniquingKeysWith: { leftmost, _ in leftmost }) : nil
    }

    /// The leftmost column of that name, in any case.
    func index(of name: String, in names: [String]) -> Int? {
        if let indexes { return indexes[name] ?? indexes[name.lowercased()] }
        if !hasNamesThatFold, let index = names.firstIndex(of: name) { return index }
        let folded = name.lowercased()
        return names.firstIndex { $0.lowercased() == folded }
    }
}
