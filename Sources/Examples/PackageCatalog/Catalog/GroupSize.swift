import Strongroom

/// How many packages belong together, and how large they are: a section, for example.
struct GroupSize: Equatable, Decodable, FetchableRecord {
    var name: String
    var packageCount: Int
    /// In bytes.
    var installedSize: Int64

    /// The number that `of(_:)` gives, to order by.
    static let packageCount = Column(CodingKeys.packageCount).detached

    /// How many associated packages there are, and how large they are.
    static func of<Group>(
        _ packages: HasManyAssociation<Group, PackageRecord>
    ) -> [AssociationAggregate<Group>] {
        let size = packages.sum { $0.installedSize } ?? 0
        return [
            packages.count.forKey(CodingKeys.packageCount),
            size.forKey(CodingKeys.installedSize),
        ]
    }
}
