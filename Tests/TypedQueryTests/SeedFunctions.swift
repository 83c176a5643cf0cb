import Foundation
import StrongroomTables

// Functions as a user of the library of seeds writes them.

@DatabaseFunction func slug(_ text: String) -> String {
    text.lowercased().split { !("a"..."z").contains($0) && !("0"..."9").contains($0) }
        .joined(separator: "-")
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

@DatabaseCollation func folded(_ a: String, _ b: String) -> ComparisonResult {
    a.lowercased().compare(b.lowercased())
}

extension SeedLibrary {
    /// The library, whose connection has these functions.
    static func withFunctions() throws -> SeedLibrary {
        let library = try SeedLibrary()
        try library.queue.write { db in
            db.add(function: $slug)
            db.add(function: $enough)
            db.add(function: $describe)
            db.add(function: $season)
            db.add(function: $median)
            db.add(function: $longest)
            db.add(function: $join)
            db.add(collation: $folded)
        }
        return library
    }
}
