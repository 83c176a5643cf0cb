import Strongroom

/// How much there is in the whole catalog.
struct Totals: Equatable {
    var packageCount: Int
    var dependencyCount: Int
    var sectionCount: Int
    var maintainerCount: Int
    /// In bytes.
    var installedSize: Int64
}

extension Totals {
    init(row: Row) {
        packageCount = row["packageCount"]
        dependencyCount = row["dependencyCount"]
        sectionCount = row["sectionCount"]
        maintainerCount = row["maintainerCount"]
        installedSize = row["installedSize"]
    }
}
