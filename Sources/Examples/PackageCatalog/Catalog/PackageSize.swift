import Strongroom

/// How large one installed package is.
struct PackageSize: Equatable, Decodable, FetchableRecord {
    var name: String
    var version: String
    /// In bytes.
    var installedSize: Int64
}
