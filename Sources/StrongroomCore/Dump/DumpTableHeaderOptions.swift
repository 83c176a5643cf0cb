/// When the names of tables are printed above their rows.
public enum DumpTableHeaderOptions: Sendable {
    /// Where several tables are printed.
    case automatic
    /// Always.
    case always
}
