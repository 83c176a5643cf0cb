internal import Synchronization

/// The name of a trigger, a view or an index, with its schema.
struct DefinedName {
    let text: String

    init(_ name: String, schema: String?) {
        text = (schema.map { $0.quotedIdentifier + "." } ?? "") + name.quotedIdentifier
    }

    func drop(_ kind: String, ifExists: Bool) -> SQLStatement {
        SQLStatement(QueryFragment(text: "DROP \(kind) \(ifExists ? "IF EXISTS " : "")\(text)"))
    }
}

/// Dates and UUIDs that a stored statement keeps for ever.
enum FixedValue {
    private static let warned = Mutex<Set<String>>([])

    /// Tells once for each statement that a value in it is that of now.
    static func warn(_ statement: String) {
        guard warned.withLock({ $0.insert(statement).inserted }) else { return }
        RuntimeWarning.post(
            "\(statement): this value is fixed now; use '#sql(\"datetime()\")', or '#bind(value)' "
                + "where it is meant")
    }
}
