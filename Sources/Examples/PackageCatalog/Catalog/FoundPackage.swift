import Strongroom

/// A package that somebody looked for.
struct FoundPackage: Equatable, Decodable, FetchableRecord {
    var name: String
    var summary: String?
}
