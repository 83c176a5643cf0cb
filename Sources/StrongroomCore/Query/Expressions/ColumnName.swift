/// A column, told by its name alone.
struct ColumnName: SQLNode {
    let name: String
    /// Whether the name stands alone even where columns are qualified.
    private let isDetached: Bool
    let isJSON: Bool

    init(_ name: String, isDetached: Bool = false, isJSON: Bool = false) {
        self.name = name
        self.isDetached = isDetached
        self.isJSON = isJSON
    }

    var isRowByRow: Bool { true }

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) {
        if isDetached {
            sql.append(identifier: name)
        } else {
            sql.append(column: name)
        }
    }
}
