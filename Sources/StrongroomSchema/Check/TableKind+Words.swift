extension TableKind {
    var word: String {
        switch self {
        case .table: "a table"
        case .withoutRowID: "a table WITHOUT ROWID"
        case .view: "a view"
        }
    }

    var argument: String {
        switch self {
        case .table: "@Table"
        case .withoutRowID: "@Table(withoutRowID: true)"
        case .view: "@Table(.view)"
        }
    }
}
