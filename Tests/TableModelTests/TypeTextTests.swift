import StrongroomTestSupport
import TableModel
import Testing

@Suite("The text of a type")
struct TypeTextTests {
    @Test(
        "An optional is told by its text",
        arguments: [
            ("Int?", "Int"), ("Optional<Int>", "Int"), ("Swift.Optional<A.B>", "A.B"),
            ("[Int]?", "[Int]"),
            ("(any P)?", "any P"), ("Int!", "Int"), ("Int", nil), ("[Int?]", nil), ("A<Int?>", nil),
            ("any P?", nil),
        ] as [(String, String?)])
    func unwrapped(type: String, inner: String?) {
        #expect(TypeText.unwrapped(type) == inner)
    }

    @Test("What is optional stays so once")
    func optional() {
        #expect(TypeText.optional("Int") == "Int?")
        #expect(TypeText.optional("Int?") == "Int?")
        #expect(TypeText.optional("any P") == "(any P)?")
    }

    @Test("Tuples, functions and any types are told by their text")
    func noColumn() {
        for type in [
            "(Int, Int)", "(a: Int, b: Int)?", "(Int) -> Int", "any P", "(any P)?", "Any?",
        ] {
            #expect(TypeText.isNoColumn(type), "\(type)")
        }
        for type in ["Int", "(Int)", "[Int]", "A<B, C>?", "AnyThing", "Any.Thing", "anyone"] {
            #expect(!TypeText.isNoColumn(type), "\(type)")
        }
    }

    @Test("Names are replaced as whole words that no dot precedes")
    func resolved() {
        let names = ["Self": "Item", "Level": "Item.Level"]
        #expect(TypeText.resolved("ID<Self>?", replacing: names) == "ID<Item>?")
        #expect(
            TypeText.resolved("[Level: Other.Level]", replacing: names)
                == "[Item.Level: Other.Level]")
        #expect(TypeText.resolved("Levels", replacing: names) == "Levels")
    }
}
