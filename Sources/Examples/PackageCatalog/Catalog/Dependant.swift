import Strongroom

/// A package that asks for another one.
struct Dependant: Equatable {
    var name: String
    /// How strongly it asks.
    var kind: Requirement.Kind
    /// What it asks for, such as `libc6 (>= 2.36)`.
    var requirement: String
}

extension Dependant {
    init(row: Row) {
        name = row["name"]
        kind = row["kind"]
        requirement = row["requirement"]
    }
}
