import Strongroom

/// A package that asks for another one.
struct Dependant: Equatable, Decodable, FetchableRecord {
    var name: String
    /// How strongly it asks.
    var kind: Requirement.Kind
    /// What it asks for, such as `libc6 (>= 2.36)`.
    var requirement: String
}
