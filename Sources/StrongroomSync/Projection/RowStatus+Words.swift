extension RowStatus.Level {
    /// Why a row of this level is not shown.
    package var reason: String {
        switch self {
        case .absent: "deleted"
        case .incomplete: "a value is missing or does not fit"
        case .orphan: "its parent is missing"
        case .rival: "an older row has the same unique value"
        case .waiting: "its parent is held"
        case .loop: "it closes a loop"
        case .stranded: "its parent is held because of a loop"
        case .shown: "shown"
        }
    }
}
