/// Which columns an upsert updates that its assignments do not mention.
public enum UpsertUpdateStrategy: Sendable {
    /// All of the record, but for the primary key and the conflict target.
    case allColumns
    /// None.
    case noColumnUnlessSpecified
}
