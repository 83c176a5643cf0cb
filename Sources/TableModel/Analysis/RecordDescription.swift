/// A record as its declaration describes it: what the expansion of `@Record` is written from.
package struct RecordDescription: Sendable {
    /// A stored property, or one of the keys that Codable would take.
    struct Property: Sendable {
        /// The name without back ticks.
        var name: String
        /// The coding key: by default the column of that name.
        var key: String
        /// A constant that has its value already.
        var isConstant = false

        var escaped: String { Keywords.escaped(name) }
    }

    var access: Access
    var isGeneric: Bool
    var properties: [Property] = []
    var isRead = true
    var isWritten = true
    /// What the user has written, or takes from elsewhere, is not written again.
    var hasReading = false
    var hasWriting = false
    var hasColumns = false
    /// The attributes `@available` of the type.
    var availability: [String] = []
}
