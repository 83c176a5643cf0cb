import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct InflectionsTests {
    @Test(
        .proves("ASC-012"),
        arguments: [
            "book books", "mouse mice", "person people", "bias biases", "focus focuses",
            "gas gases", "lens lenses", "data data", "status statuses", "team teams",
            "country countries", "day days", "address addresses", "box boxes", "quiz quizzes",
            "match matches", "cache caches", "wolf wolves", "knife knives", "curve curves",
            "database databases", "house houses", "purchase purchases", "analysis analyses",
            "axis axes", "movie movies", "news news", "hero heroes", "photo photos", "ox oxen",
            "human humans", "woman women", "workman workmen", "child children", "menu menus",
            "playerData playerData", "mainPerson mainPeople", "Person People", "bonus bonuses",
            "index indexes", "alias aliases", "metadata metadata", "criterion criteria",
            "postal_address postal_addresses", "salesMan salesMen",
        ])
    func `A word is turned into its plural and back`(words: String) {
        let pair = words.split(separator: " ").map(String.init)
        for word in pair {
            #expect(Inflections.default.pluralize(word) == pair[1])
            #expect(Inflections.default.singularize(word) == pair[0])
        }
    }

    @Test(.proves("ASC-032"))
    func `Rules can be added, and the last one goes first`() {
        var inflections = Inflections()
        #expect(inflections.pluralize("book") == "book")
        inflections.plural("$", "s")
        inflections.plural("(ax|test)is$", "$1es")
        inflections.plural("Y$", options: [], "ies")
        inflections.singular("s$", "")
        inflections.irregularSuffix("corpus", "corpora")
        inflections.uncountableWords(["SMS"])
        #expect(inflections.pluralize("book") == "books")
        #expect(inflections.singularize("books") == "book")
        #expect(inflections.pluralize("AXIS") == "AXes")
        #expect(inflections.pluralize("py") == "pys")
        #expect(inflections.pluralize("pY") == "pies")
        #expect(inflections.pluralize("mainCorpus") == "mainCorpora")
        #expect(inflections.singularize("corpora") == "corpus")
        for word in ["sms", "mySms", "my_sms"] { #expect(inflections.pluralize(word) == word) }
        #expect(inflections.pluralize("prisms") == "prismss")
        #expect(inflections.pluralize("") == "")
    }

    @Test(.proves("ASC-032"))
    func `The words in force can be replaced`() async {
        await #expect(processExitsWith: .success) {
            Inflections.default.irregularSuffix("livre", "livraison")
            #expect(Inflections.default.pluralize("livre") == "livraison")
            Inflections.default = Inflections()
            #expect(Inflections.default.pluralize("book") == "book")
        }
    }
}
