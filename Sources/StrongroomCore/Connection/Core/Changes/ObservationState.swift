/// What observers outside of the connection want to know of it.
struct ObservationState {
    /// What collects the tables and columns that are read, while somebody wants to know.
    var recorder: RegionRecorder?

    /// How many transactions have been committed that may have changed something: for any thread.
    var commits = CommitCount()
}
