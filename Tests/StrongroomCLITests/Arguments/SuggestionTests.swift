import StrongroomCLI
import Testing

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("query", "query", 0), ("qeury", "query", 1),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `the distance counts insertions, deletions, substitutions and swaps`(
        first: String, second: String, distance: Int
    ) {
        #expect(Suggestion.distance(first, second) == distance)
        #expect(Suggestion.distance(second, first) == distance)
    }

    @Test func `the nearest name is suggested`() {
        let names = ["info", "check", "query", "encrypt", "decrypt", "copy", "rotate-key"]
        #expect(Suggestion.closest(to: "chekc", among: names) == "check")
        #expect(Suggestion.closest(to: "ENCRYPT", among: names) == "encrypt")
        #expect(Suggestion.closest(to: "rotatekey", among: names) == "rotate-key")
        #expect(Suggestion.closest(to: "rotate", among: names) == "rotate-key")
        #expect(Suggestion.closest(to: "new-key-file", among: ["force", "key-file"]) == "key-file")
    }

    @Test func `nothing is suggested for what is far from every name`() {
        #expect(Suggestion.closest(to: "frobnicate", among: ["info", "check"]) == nil)
        #expect(Suggestion.closest(to: "x", among: []) == nil)
    }
}
