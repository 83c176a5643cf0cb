public import Testing

/// Names the lines of `Documentation/Features.md` that a test or a suite proves.
public struct FeatureTrait: TestTrait, SuiteTrait {
    public let ids: [String]
}

extension Trait where Self == FeatureTrait {
    /// `@Test(.proves("CNF-013", "CNF-014"))`; `Scripts/unproved` reads these names.
    public static func proves(_ ids: String...) -> Self {
        FeatureTrait(ids: ids)
    }
}
