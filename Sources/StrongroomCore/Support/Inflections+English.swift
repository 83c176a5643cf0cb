extension Inflections {
    /// What English words do, those that name tables above all.
    static let english: Inflections = {
        var inflections = Inflections()
        inflections.addEnglishPlurals()
        inflections.addEnglishSingulars()
        inflections.irregularSuffix("person", "people")
        inflections.irregularSuffix("child", "children")
        inflections.irregularSuffix("woman", "women")
        inflections.irregularSuffix("foot", "feet")
        inflections.irregularSuffix("tooth", "teeth")
        inflections.irregularSuffix("mouse", "mice")
        inflections.irregularSuffix("criterion", "criteria")
        inflections.irregularSuffix("phenomenon", "phenomena")
        inflections.uncountableWords([
            "aircraft", "data", "deer", "equipment", "feedback", "fish", "hardware", "information",
            "luggage", "metadata", "money", "news", "police", "progress", "rice", "series", "sheep",
            "software", "species", "traffic", "weather",
        ])
        return inflections
    }()

    /// Singulars that end in `s`, which are not to be taken for plurals.
    private static let sibilants = """
        (?:alias|atlas|bias|canvas|(?:^|[^a-z])gas|lens|ss|\
        (?:abac|apparat|b|bon|cact|camp|cens|chor|circ|consens|corp|foc|gen|geni|loc|min|nex|\
        octop|op|pl|prospect|radi|stat|syllab|termin|vir|walr)us)
        """

    /// Words in `-man`, without it; not so "human" and "German".
    private static let men = """
        (chair|clergy|crafts|fire|fisher|fore|gentle|police|post|sales|sports|work)
        """

    /// Words in `-sis`, without it.
    private static let greek = """
        (analy|cri|diagno|empha|gene|hypothe|oa|parenthe|progno|synop|synthe|the)
        """

    private mutating func addEnglishPlurals() {
        plural("$", "s")
        plural("s$", "s")
        plural("(\(Self.sibilants))$", "$1es")
        plural("(x|z|ch|sh)$", "$1es")
        plural("(qui)z$", "$1zzes")
        plural("([^aeiou])y$", "$1ies")
        plural("(cal|el|hal|lea|loa|scar|sel|shea|shel|thie|wol)f$", "$1ves")
        plural("(kni|li|wi)fe$", "$1ves")
        plural("(ech|her|potat|tomat|vet)o$", "$1oes")
        plural("\(Self.greek)sis$", "$1ses")
        plural("^(ax|bas)is$", "$1es")
        plural("(matr|vert)(?:ix|ex)$", "$1ices")
        plural("^(ox)$", "$1en")
        plural("^oxen$", "oxen")
        plural("\(Self.men)m[ae]n$", "$1men")
        plural("^(m)[ae]n$", "$1en")
        plural("([a-z])M[ae]n$", "$1Men", ignoringCase: false)
    }

    private mutating func addEnglishSingulars() {
        singular("s$", "")
        singular("(\(Self.sibilants))$", "$1")
        singular("(\(Self.sibilants))es$", "$1")
        singular("(x|ch|sh|tz)es$", "$1")
        singular("(qui)zzes$", "$1z")
        singular("(ca|da)ches$", "$1che")
        singular("([^aeiouy])ies$", "$1y")
        singular("(cook|mov|rook|zomb|^l|^p|^t)ies$", "$1ie")
        singular("(cal|el|hal|lea|loa|scar|sel|shea|shel|thie|wol)ves$", "$1f")
        singular("(kni|wi|^li)ves$", "$1fe")
        singular("(ech|her|potat|tomat|vet)oes$", "$1o")
        singular("\(Self.greek)s[ei]s$", "$1sis")
        singular("^(ax|bas)[ei]s$", "$1is")
        singular("(matr)ices$", "$1ix")
        singular("(vert|ind)ices$", "$1ex")
        singular("^(ox)en$", "$1")
        singular("\(Self.men)men$", "$1man")
        singular("^(m)en$", "$1an")
        singular("([a-z])Men$", "$1Man", ignoringCase: false)
    }
    private mutating func plural(_ pattern: String, _ template: String, ignoringCase: Bool = true) {
        addPlural(Self.rule(pattern, template, ignoringCase))
    }

    private mutating func singular(
        _ pattern: String, _ template: String, ignoringCase: Bool = true
    ) {
        addSingular(Self.rule(pattern, template, ignoringCase))
    }

    /// The rule that replaces the first match of a pattern; `$1` is its first group.
    private static func rule(
        _ pattern: String, _ template: String, _ ignoresCase: Bool
    ) -> Rule {
        let expression = Expression(pattern, ignoresCase)
        return { name in
            guard let match = name.firstMatch(of: expression.regex) else { return nil }
            let group = match.output.count > 1 ? match.output[1].substring ?? "" : ""
            let replacement = template.replacing("$1", with: group)
            return name.replacing(expression.regex, with: replacement, maxReplacements: 1)
        }
    }

    // Safety: a regex is a value, whose program is compiled once, atomically.
    private struct Expression: @unchecked Sendable {
        let regex: Regex<AnyRegexOutput>

        init(_ pattern: String, _ ignoresCase: Bool) {
            guard let regex = try? Regex(pattern) else { preconditionFailure(pattern) }
            self.regex = regex.ignoresCase(ignoresCase)
        }
    }
}
