import Strongroom

extension Catalog {
    /// Tells how much there is, now and whenever it changes, until the task is cancelled.
    ///
    /// Other processes may change it, too: on Linux that is noticed.
    func watch(_ tell: (Totals) throws -> Void) async throws {
        #if os(Linux)
        let external = try database.observeExternalChanges()
        defer { external.cancel() }
        #endif
        // A busy reader wants to know how it is, not how it was.
        let totals = ValueObservation.tracking(Totals.init)
            .removeDuplicates()
            .values(in: database, bufferingPolicy: .bufferingNewest(1))
        for try await total in totals {
            try tell(total)
        }
    }
}
