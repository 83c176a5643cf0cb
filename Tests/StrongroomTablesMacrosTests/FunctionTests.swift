import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@DatabaseFunction func slug(_ text: String) -> String {
    text.lowercased().replacing(" ", with: "-")
}
@DatabaseFunction("has_enough") func enough(_ seeds: Int, atLeast: Int = 50) -> Bool {
    seeds >= atLeast
}
@DatabaseFunction func describe(_ trait: Trait) -> String { "\(trait.code): \(trait.label)" }
@DatabaseFunction var season: String { "spring" }
@DatabaseFunction func median(_ values: some Sequence<Int>) -> Double? {
    let values = values.sorted()
    guard !values.isEmpty else { return nil }
    return Double(values[(values.count - 1) / 2] + values[values.count / 2]) / 2
}
@DatabaseFunction(as: (([String].JSONRepresentation) -> Int).self)
func longest(_ names: [String]) -> Int { names.map(\.count).max() ?? 0 }
@DatabaseFunction func join(_ parts: some Sequence<(String, separator: String)>) -> String? {
    var text: String?
    for part in parts { text = text.map { $0 + part.separator + part.0 } ?? part.0 }
    return text
}

@Suite struct FunctionTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db in
            db.add(function: $slug)
            db.add(function: $enough)
            db.add(function: $describe)
            db.add(function: $season)
            db.add(function: $median)
            db.add(function: $longest)
            db.add(function: $join)
        }
    }

    @Test
    func `a function is called by its name with a dollar`() throws {
        let names = try library.fetch(
            Trait.order(by: \.code).limit(1).select { $slug($0.label) },
            """
            SELECT "slug"("traits"."label") FROM "traits" ORDER BY "traits"."code" LIMIT 1
            """)
        #expect(names == ["compact"])
        #expect(slug("A b") == "a-b")
    }
}
