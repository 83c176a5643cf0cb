internal import Synchronization

/// Plurals of names, and the singulars of plurals.
///
///     Inflections.default.pluralize("player")    // players
///     Inflections.default.singularize("people")  // person
///
/// Tables and associations find each other by them: `t.belongsTo("author")` refers to the table
/// `authors` if there is no table `author`. Teach it what it does not know:
///
///     Inflections.default.irregularSuffix("corpus", "corpora")
///
/// Rules look at the end of a name, so that they hold for `goldenMouse` as for `mouse`. The rule
/// that was added last is tried first.
public struct Inflections: Sendable {
    private var plurals: [Rule] = [] { didSet { known = Known() } }
    private var singulars: [Rule] = [] { didSet { known = Known() } }
    private var uncountables: Set<String> = [] { didSet { known = Known() } }
    private var known = Known()

    /// Words whose inflection was found before: requests ask for the same few names all the time.
    private final class Known: Sendable {
        private let words = Mutex<[Question: String]>([:])

        struct Question: Hashable {
            let word: String
            let isPlural: Bool
        }

        private static let capacity = 1000

        func answer(_ question: Question, orFind find: () -> String) -> String {
            if let answer = words.withLock({ $0[question] }) { return answer }
            let answer = find()
            words.withLock { words in
                if words.count >= Self.capacity { words.removeAll() }
                words[question] = answer
            }
            return answer
        }
    }

    /// Gives the inflection of a name; nil where it does not know it.
    package typealias Rule = @Sendable (_ name: String) -> String?

    private static let current = Mutex(english)

    /// The inflections of English words, or those that took their place.
    ///
    /// Change them before they are used: what was derived from them stays.
    public static var `default`: Inflections {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// No rules: every word is its own plural.
    public init() {}

    /// Adds a rule for plurals.
    package mutating func addPlural(_ rule: @escaping Rule) {
        plurals.append(rule)
    }

    /// Adds a rule for singulars.
    package mutating func addSingular(_ rule: @escaping Rule) {
        singulars.append(rule)
    }

    /// Adds words that are their own plural, also at the end of a name: `fish`, `goldenFish`.
    ///
    ///     inflections.uncountableWords(["sheep", "fish"])
    public mutating func uncountableWords(_ words: [String]) {
        uncountables.formUnion(words.map { $0.lowercased() })
    }

    /// Adds a word, and words that end like it: `("man", "men")` for women too.
    public mutating func irregularSuffix(_ singular: String, _ plural: String) {
        for (first, firstPlural) in Self.spellings(singular, plural) {
            for suffix in [first, firstPlural] {
                addPlural { $0.replacingSuffix(suffix, with: firstPlural) }
                addSingular { $0.replacingSuffix(suffix, with: first) }
            }
        }
    }

    /// Adds a plural that has no rule, whose singular is what the rules make of it.
    mutating func irregularPlural(_ singular: String, _ plural: String) {
        for (first, firstPlural) in Self.spellings(singular, plural) {
            for suffix in [first, firstPlural] {
                addPlural { $0.replacingSuffix(suffix, with: firstPlural) }
            }
        }
    }

    /// The two words as they begin a name of several words, and as they begin a later one.
    private static func spellings(_ singular: String, _ plural: String) -> [(String, String)] {
        let capitalized = (singular.capitalizedFirstLetter, plural.capitalizedFirstLetter)
        return [(singular, plural), capitalized]
    }

    /// The plural of a name; of a plural, itself.
    ///
    ///     print(Inflections.default.pluralize("player"))  // players
    public func pluralize(_ string: String) -> String {
        known.answer(.init(word: string, isPlural: true)) { inflect(string, plurals) }
    }

    /// The singular of a name; of a singular, itself.
    ///
    ///     print(Inflections.default.singularize("players"))  // player
    public func singularize(_ string: String) -> String {
        known.answer(.init(word: string, isPlural: false)) { inflect(string, singulars) }
    }

    /// Inflects the last word of a name, and leaves the number behind it: `homeTeams2`.
    private func inflect(_ string: String, _ rules: [Rule]) -> String {
        let end = string.lastIndex { !$0.isASCII || !$0.isNumber }.map(string.index(after:))
        guard let end else { return string }
        let start = string[..<end].startOfLastWord
        let word = String(string[start..<end])
        guard !uncountables.contains(word.lowercased()) else { return string }
        for rule in rules.reversed() {
            if let inflected = rule(word) { return string[..<start] + inflected + string[end...] }
        }
        return string
    }
}

extension Substring {
    /// Where the last word of a name begins: `Box` in `homeBox`, `box` in `home_box`.
    fileprivate var startOfLastWord: Index {
        var start = startIndex
        for index in indices.dropFirst() {
            let before = self[self.index(before: index)]
            let isCapital = self[index].isUppercase
            let isLetter = self[index].isLetter || self[index].isNumber
            let following = self.index(after: index)
            let isFollowedBySmall = following < endIndex && self[following].isLowercase
            if isCapital, !before.isUppercase || isFollowedBySmall {
                start = index
            } else if isLetter, !before.isLetter, !before.isNumber {
                start = index
            }
        }
        return start
    }
}

extension String {
    /// The text with a capital at its start: `Author` for `author`.
    package var capitalizedFirstLetter: String {
        prefix(1).uppercased() + dropFirst()
    }

    /// The text with another end; nil if it does not end so.
    fileprivate func replacingSuffix(_ suffix: String, with replacement: String) -> String? {
        hasSuffix(suffix) ? dropLast(suffix.count) + replacement : nil
    }
}
