import Strongroom

/// How many packages belong together, and how large they are: a section, for example.
struct GroupSize: Equatable, Decodable, FetchableRecord {
    var name: String
    var packageCount: Int
    /// In bytes.
    var installedSize: Int64
}
