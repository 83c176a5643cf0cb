extension Inflections {
    /// What English words do, those that name tables above all.
    static let english: Inflections = {
        var inflections = Inflections()
        inflections.addEnglishPlurals()
        inflections.addEnglishSingulars()
        for (singular, plural) in [
            ("person", "people"), ("child", "children"), ("leaf", "leaves"), ("sex", "sexes"),
            ("move", "moves"), ("zombie", "zombies"),
        ] {
            inflections.irregularSuffix(singular, plural)
        }
        for (singular, plural) in [
            ("woman", "women"), ("foot", "feet"), ("tooth", "teeth"), ("mouse", "mice"),
            ("criterion", "criteria"), ("phenomenon", "phenomena"),
        ] {
            inflections.irregularPlural(singular, plural)
        }
        inflections.uncountableWords([
            "aircraft", "deer", "equipment", "feedback", "fish", "hardware", "information", "jeans",
            "luggage", "money", "news", "police", "progress", "rice", "series", "sheep", "software",
            "species", "traffic", "weather",
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
        plural("([ti])um$", "$1a")
        plural("([ti])a$", "$1a")
        plural("^(ox)$", "$1en")
        plural("^oxen$", "oxen")
        plural("\(Self.men)m[ae]n$", "$1men")
        plural("^(m)[ae]n$", "$1en")
        plural("([a-z])M[ae]n$", "$1Men", ignoringCase: false)
    }

    /// The singulars are those of GRDB, to the letter, because they are the names under which Codable
    /// records find joined rows. Some are wrong English: of "caches" it is "cach".
    private mutating func addEnglishSingulars() {
        singular("s$", "")
        singular("men$", "man")
        singular("Men$", "Man", ignoringCase: false)
        singular("(ss)$", "$1")
        singular("(n)ews$", "$1ews")
        singular("([ti])a$", "$1um")
        singular("(analy|ba|diagno|parenthe|progno|synop|the)s[ie]s$", "$1sis")
        singular("([^f])ves$", "$1fe")
        singular("(hive|tive)s$", "$1")
        singular("([lr])ves$", "$1f")
        singular("([^aeiouy]|qu)ies$", "$1y")
        singular("(series|movie)s?$", "$1")
        singular("(x|ch|ss|sh)es$", "$1")
        singular("^(m|l)ice$", "$1ouse")
        singular("(bus)(?:es)?$", "$1")
        singular("(o)es$", "$1")
        singular("(shoe)s$", "$1")
        singular("(cris|test)(?:is|es)$", "$1is")
        singular("^(a)x[ie]s$", "$1xis")
        singular("(octop|vir)(?:us|i)$", "$1us")
        singular("(alias|bias|focus|gas|lens|status)(?:es)?$", "$1")
        singular("^(ox)en", "$1")
        singular("(vert|ind)ices$", "$1ex")
        singular("(matr)ices$", "$1ix")
        singular("(quiz)zes$", "$1")
        singular("(database)s$", "$1")
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
