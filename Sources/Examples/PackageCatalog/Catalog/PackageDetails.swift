import Strongroom

/// All that is known of a package: its row, and those that are associated to it.
struct PackageDetails: Equatable, Decodable, FetchableRecord {
    var package: PackageRecord
    var section: SectionRecord?
    var maintainer: MaintainerRecord?
    var dependencies: [DependencyRecord]
    var provisions: [ProvisionRecord]
}

extension PackageDetails {
    /// What it asks for in that way, as dpkg writes it: alternatives stand side by side.
    func requirements(_ kind: Requirement.Kind) -> [String] {
        let asked = dependencies.filter { $0.kind == kind }
        return Dictionary(grouping: asked, by: \.requirement)
            .sorted { $0.key < $1.key }
            .map { _, alternatives in
                alternatives.map { PackageRelation($0).description }.joined(separator: " | ")
            }
    }
}
