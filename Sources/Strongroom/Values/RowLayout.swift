/// The columns of a row: their names, and where in the storage each one is. All rows of one result
/// share it.
@usableFromInline
package final class RowLayout: Sendable {
    @usableFromInline let names: [String]
    /// The statement that the rows come from, for messages.
    let sql: String?
    /// Two names differ only in case, so that an exact match need not be the leftmost.
    private let hasNamesThatFold: Bool
    /// Names in lower case with their leftmost column, where there are too many to look through.
    private let indexes: [String: Int]?

    private static let largestScan = 24

    init(names: [String], sql: String?) {
        self.names = names
        self.sql = sql
        let folded = names.map { $0.lowercased() }
        hasNamesThatFold = Set(folded).count < Set(names).count
        indexes =
            names.count > Self.largestScan
            ? Dictionary(zip(folded, 0...), uniquingKeysWith: { leftmost, _ in leftmost }) : nil
    }

    /// The leftmost column of that name, in any case.
    @usableFromInline
    func index(of name: String) -> Int? {
        if let indexes { return indexes[name] ?? indexes[name.lowercased()] }
        if !hasNamesThatFold, let index = names.firstIndex(of: name) { return index }
        let folded = name.lowercased()
        return names.firstIndex { $0.lowercased() == folded }
    }
}
