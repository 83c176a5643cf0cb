import Strongroom

/// A task that is done twice: by the library, and by hand on the C API.
///
/// A side does its task and returns a function that tells what came out of it. That function is
/// called when the clock has stopped; both sides must tell the same, so that none can cheat. For
/// what a side writes, `inspect` tells.
struct Workload {
    typealias Outcome = () -> UInt64

    /// What the library wants to reach.
    enum Aim {
        /// So many times what the C API needs.
        case ratio(Double)
        /// So long for one operation.
        case microseconds(Double)
    }

    var name: String
    var aim: Aim?
    /// How many operations one run makes: the report shows the time of one.
    var operations: Int
    /// Puts the database into the state that a run starts from; not measured.
    var prepare: (BenchmarkDatabase) throws -> Void = { _ in }
    /// Tells what a run left in the database; not measured.
    var inspect: (Database) throws -> UInt64 = { _ in 0 }
    var library: (BenchmarkDatabase) throws -> Outcome
    var c: (BenchmarkDatabase) throws -> Outcome
}
