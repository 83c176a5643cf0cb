/// What a fetched statement puts around a column: what its type says.
struct ReadingForm: Hashable, Sendable {
    /// Safety: a metatype is constant.
    nonisolated(unsafe) private let type: any QueryRepresentable.Type

    init(_ type: any QueryRepresentable.Type) { self.type = type }

    func applied(to column: QueryFragment) -> QueryFragment {
        type.queryFragment(decoding: column)
    }

    static func == (one: Self, other: Self) -> Bool { one.type == other.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
