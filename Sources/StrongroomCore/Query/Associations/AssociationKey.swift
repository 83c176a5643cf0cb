/// What an association leads to is called, in rows and records.
enum AssociationKey: Sendable {
    /// The name of a table: in singular for one row, in plural for several.
    case inflected(String)
    /// What the app calls one row; several are its plural.
    case one(String)
    /// What the app calls several rows; one is its singular.
    case several(String)

    var singular: String {
        switch self {
        case .inflected(let key), .several(let key): Inflections.default.singularize(key)
        case .one(let key): key
        }
    }

    var plural: String {
        switch self {
        case .inflected(let key), .one(let key): Inflections.default.pluralize(key)
        case .several(let key): key
        }
    }
}
