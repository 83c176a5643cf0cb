public import StrongroomCore

/// A statement that makes a trigger.
///
///     let stamp = Item.createTemporaryTrigger(after: .update(touch: \.changedAt))
///     try stamp.execute(db)
///
/// Values in it become literals: SQLite stores the text.
public struct CreateTrigger: Statement {
    public typealias Row = Void
    public typealias Shape = NoRows
    /// The name of the trigger.
    public let name: String
    public let query: QueryFragment
    let isTemporary: Bool
    let table: TableReference
    private let schema: String?
    /// The columns whose changes fire it.
    private var watched: [String] = []

    enum Timing: String {
        case before = "BEFORE"
        case after = "AFTER"
        case insteadOf = "INSTEAD OF"
    }

    /// Where a trigger was written, which names it.
    struct Place {
        let file: String
        let line: Int
        let column: Int
    }

    init<Target>(
        _ name: String?, _ timing: Timing, _ operation: TriggerOperation<Target>,
        isTemporary: Bool, ifNotExists: Bool, at place: Place
    ) {
        let table = Target._layout.table
        let words = timing.rawValue.lowercased().replacing(" ", with: "_")
        let name =
            name ?? "\(words)_\(operation.event.word)_on_\(table.name)"
            + "@\(place.file):\(place.line):\(place.column)"
        self.name = name
        self.isTemporary = isTemporary
        self.table = table
        schema = isTemporary ? nil : table.schema
        var result = QueryFragment(
            text: isTemporary ? "CREATE TEMPORARY TRIGGER " : "CREATE TRIGGER ")
        if ifNotExists { result.append(text: "IF NOT EXISTS ") }
        let own = DefinedName(name, schema: schema).text
        result.append(text: "\(own) \(timing.rawValue) \(operation.event.sql) ON ")
        result += isTemporary ? table.source : QueryFragment(text: table.name.quotedIdentifier)
        result.append(text: " FOR EACH ROW ")
        if operation.isTouch, timing != .after {
            result += QueryFragment(failure: "'touch' needs 'after': the row is not there before")
        }
        // A trigger names the tables of its own schema without it.
        let body = operation.body.withoutSchema(isTemporary ? "temp" : table.schema ?? "main")
        result += body
        if body.hasMoment { FixedValue.warn("trigger \"\(name)\"") }
        query = result.stored
        if case .update(let names) = operation.event { watched = names }
    }

    /// Makes the trigger.
    ///
    /// - Throws: `DatabaseError`, also where the table lacks a column whose changes should fire the
    ///   trigger: SQLite would never fire it. `QueryBuildingError` when it cannot be built.
    public func execute(_ db: Database) throws {
        try db.requireColumns(watched, of: table, in: query)
        guard let run = try run(db, query) else { return }
        while try run.step() {}
    }

    /// Whether the table has the columns whose changes fire it.
    func hasColumns(_ db: Database) throws -> Bool {
        do {
            try db.requireColumns(watched, of: table, in: query)
            return true
        } catch is DatabaseError {
            return false
        }
    }

    /// The statement that removes the trigger.
    ///
    ///     let stamp = Item.createTemporaryTrigger("stamp", after: .update(touch: \.changedAt))
    ///     stamp.drop(ifExists: true)  // DROP TRIGGER IF EXISTS "stamp"
    public func drop(ifExists: Bool = false) -> SQLStatement {
        DefinedName(name, schema: schema).drop("TRIGGER", ifExists: ifExists)
    }
}

extension TriggerOperation {
    /// What follows the name of the table.
    fileprivate var body: QueryFragment {
        var result = QueryFragment()
        if let condition = conditions.conjunction {
            result.append(text: "WHEN ")
            result.append(condition)
            result.append(text: " ")
        }
        let statements = steps.flatMap(\.statements)
        if statements.isEmpty {
            result += QueryFragment(failure: "a trigger needs a statement, and has none")
        }
        result.append(text: "BEGIN ")
        for statement in statements {
            result.append(statement)
            result.append(text: "; ")
        }
        result.append(text: "END")
        return result
    }
}

extension TriggerOperation.Event {
    fileprivate var sql: String {
        guard case .update(let names) = self, !names.isEmpty else { return word.uppercased() }
        return "UPDATE OF " + names.map(\.quotedIdentifier).joined(separator: ", ")
    }
}
