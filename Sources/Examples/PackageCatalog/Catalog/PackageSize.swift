import Strongroom

/// How large one installed package is.
struct PackageSize: Equatable {
    var name: String
    var version: String
    /// In bytes.
    var installedSize: Int64
}

extension PackageSize {
    init(row: Row) {
        name = row["name"]
        version = row["version"]
        installedSize = row["installedSize"]
    }
}
