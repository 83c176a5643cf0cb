import Strongroom

extension DerivableRequest<PackageRecord> {
    /// Those about all of some words, which may stand in any order and be inflected.
    ///
    /// The words are a user's: there is no syntax that could be wrong. Without FTS5 there are no
    /// ranks, and packages come by name.
    func about(_ words: String, in db: Database) throws -> Self {
        guard try db.hasFTS5 else {
            let pattern = FTS3Pattern(matchingAllTokensIn: words)
            return joining(required: PackageRecord.words.matching(pattern))
                .order(PackageRecord.Columns.name)
        }
        let pattern = FTS5Pattern(matchingAllTokensIn: words)
        return joining(required: PackageRecord.words.matching(pattern).bestFirst())
    }
}

extension Database {
    /// Not every SQLCipher was built with FTS5; Ubuntu 24.04's was not.
    var hasFTS5: Bool {
        get throws {
            let sql = "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"
            return try Int.fetchOne(self, sql: sql) == 1
        }
    }
}

extension DerivableRequest<PackageWords> {
    /// A word in the name counts ten times as much as one in the description, and twice as much as
    /// one in the summary.
    func bestFirst() -> Self {
        order(sql: "bm25(packageWords, 10, 5, 1)")
    }
}
