import Strongroom

/// How many packages belong together, and how large they are: a section, for example.
struct GroupSize: Equatable {
    var name: String
    var packageCount: Int
    /// In bytes.
    var installedSize: Int64
}

extension GroupSize {
    init(row: Row) {
        name = row["name"]
        packageCount = row["packageCount"]
        installedSize = row["installedSize"]
    }
}
