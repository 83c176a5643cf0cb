/// Finds what a misspelt name was probably meant to be.
package enum Suggestion {
    /// The nearest of the candidates, if it is near enough to be worth a question.
    package static func closest(to name: String, among candidates: [String]) -> String? {
        let name = name.lowercased()
        let limit = max(1, min(3, name.count / 3))
        let ranked = candidates.map { (candidate: $0, distance: distance(name, $0)) }
        if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit {
            return best.candidate
        }
        // The beginning or the end of one candidate alone, or one candidate with something before it.
        guard name.count >= 3 else { return nil }
        let partial = candidates.filter { candidate in
            candidate.hasPrefix(name) || candidate.hasSuffix("-" + name)
                || name.hasSuffix("-" + candidate)
        }
        return partial.count == 1 ? partial[0] : nil
    }

    /// Insertions, deletions, substitutions and swaps of neighbours between two names.
    package static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first)
        let second = Array(second)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var best = min(
                    last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1],
                    first[row - 1] == second[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
