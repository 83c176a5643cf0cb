import Strongroom

extension DerivableRequest<PackageRecord> {
    /// Those about all of some words, which may stand in any order and be inflected.
    ///
    /// The words are a user's: there is no syntax that could be wrong.
    func about(_ words: String) -> Self {
        let pattern = FTS5Pattern(matchingAllTokensIn: words)
        return joining(required: PackageRecord.words.matching(pattern).bestFirst())
    }
}

extension DerivableRequest<PackageWords> {
    /// A word in the name counts ten times as much as one in the description, and twice as much as
    /// one in the summary.
    func bestFirst() -> Self {
        order(sql: "bm25(packageWords, 10, 5, 1)")
    }
}
