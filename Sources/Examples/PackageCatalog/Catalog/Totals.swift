import Strongroom

/// How much there is in the whole catalog.
struct Totals: Equatable, Decodable, FetchableRecord {
    var packageCount: Int
    var dependencyCount: Int
    var sectionCount: Int
    var maintainerCount: Int
    /// In bytes.
    var installedSize: Int64
}
