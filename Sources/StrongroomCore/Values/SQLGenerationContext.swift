/// SQL under construction, with the values for its placeholders, and what names mean in it.
package struct SQLGenerationContext {
    /// The text so far.
    package private(set) var sql = ""

    /// The values for the placeholders so far.
    package private(set) var arguments = StatementArguments()

    /// For whom SQL is generated: of a type that the layer above knows.
    private let addressee: AnyObject?

    /// How many values are given as arguments; those that come later stand in the text, if they can.
    private let argumentLimit: Int

    /// The table to which columns belong that name none; nil outside of any.
    package private(set) var table: Table?

    /// The tables in view that can be asked for by an identity.
    private var tables: [ObjectIdentifier: Table] = [:]

    /// The identities that tables were asked for by; nil where nobody wants to know.
    private var askedTables: Set<ObjectIdentifier>?

    /// How many pieces are being written inside of each other.
    private var nesting = 0

    /// Whether what is written is a term by which rows are ordered or grouped.
    private(set) var isInTerm = false

    /// A table in view.
    package struct Table {
        /// Its name in the schema.
        package let name: String
        /// How columns say that they are of this table; nil where they need not.
        package let qualifier: String?

        package init(name: String, qualifier: String?) {
            self.name = name
            self.qualifier = qualifier
        }
    }

    package init() {
        self.init(addressee: nil)
    }

    private init(addressee: AnyObject?, argumentLimit: Int = .max) {
        self.addressee = addressee
        self.argumentLimit = argumentLimit
        // Room for most statements: growing would copy the text four times.
        sql.reserveCapacity(240)
    }
}

// MARK: - The addressee

extension SQLGenerationContext {
    /// What a layer above gives along and gets back: the key alone knows its type.
    package struct Key<Value: AnyObject>: Sendable {
        package init() {}
    }

    /// - Parameter argumentLimit: How many values become arguments, before any stands in the text.
    package init<Value>(_ value: Value, for key: Key<Value>, argumentLimit: Int) {
        self.init(addressee: value, argumentLimit: argumentLimit)
    }

    package subscript<Value>(key: Key<Value>) -> Value? { addressee as? Value }
}

// MARK: - Nesting

extension SQLGenerationContext {
    /// Begins a piece inside another.
    ///
    /// - Throws: An error, rather than ending the process, when the stack is nearly full.
    mutating func enter() throws(DatabaseError) {
        if nesting > 16 { try DatabaseError.requireStackSpace() }
        nesting += 1
    }

    /// Ends the piece that was begun last.
    mutating func leave() { nesting -= 1 }
}

// MARK: - Text

extension SQLGenerationContext {
    /// Writes text as it is.
    package mutating func append(sql text: String) {
        sql += text
    }

    /// Writes text as it is, and gives values to its placeholders.
    ///
    /// Traps when a named value is there already: one of the two would get the other's value.
    package mutating func append(sql text: String, arguments: StatementArguments) {
        sql += text
        if !arguments.isEmpty { self.arguments += arguments }
    }

    /// Writes a name between quotes.
    package mutating func append(identifier: String) {
        guard !identifier.hasQuote else { return sql += identifier.quotedDatabaseIdentifier }
        sql += "\""
        sql += identifier
        sql += "\""
    }

    /// Writes a placeholder for a value; NULL stands in the text, so that it can be seen.
    package mutating func append(value: DatabaseValue) {
        if value.isNull {
            sql += "NULL"
        } else if arguments.values.count >= argumentLimit, let literal = value.exactLiteral {
            sql += literal
        } else {
            sql += "?"
            arguments.values.append(value)
        }
    }

    /// Writes pieces with a separator between.
    package mutating func append<Pieces: Sequence>(
        _ pieces: Pieces, separator: String,
        _ write: (Pieces.Element, inout SQLGenerationContext) throws -> Void
    ) rethrows {
        var isFirst = true
        for piece in pieces {
            if !isFirst { sql += separator }
            isFirst = false
            try write(piece, &self)
        }
    }

    /// Writes something between parentheses.
    package mutating func parenthesize(
        _ body: (inout SQLGenerationContext) throws -> Void
    ) rethrows {
        sql += "("
        try body(&self)
        sql += ")"
    }

    /// Writes something, and changes the text of it.
    package mutating func transform(
        _ change: (String) -> String, _ body: (inout SQLGenerationContext) throws -> Void
    ) rethrows {
        let before = sql
        sql = ""
        defer { sql = before + change(sql) }
        try body(&self)
    }
}

extension SQLGenerationContext {
    /// Writes a term by which rows are ordered or grouped.
    mutating func writingTerm(_ body: (inout SQLGenerationContext) throws -> Void) rethrows {
        let wasInTerm = isInTerm
        isInTerm = true
        defer { isInTerm = wasInTerm }
        try body(&self)
    }
}

// MARK: - Names

extension SQLGenerationContext {
    /// Writes the name of a column, qualified where several tables are in view.
    package mutating func append(column: String) {
        appendQualifier()
        append(identifier: column)
    }

    /// Writes all columns, of one table where several are in view.
    package mutating func appendAllColumns() {
        appendQualifier()
        sql += "*"
    }

    private mutating func appendQualifier() {
        guard let qualifier = table?.qualifier else { return }
        append(identifier: qualifier)
        sql += "."
    }

    /// The table in view that has an identity.
    package mutating func table(of identity: ObjectIdentifier) -> Table? {
        askedTables?.insert(identity)
        return tables[identity]
    }

    /// Notes the identities by which tables are asked for while something is written.
    package mutating func recordingTables(
        in identities: inout Set<ObjectIdentifier>,
        _ body: (inout SQLGenerationContext) throws -> Void
    ) rethrows {
        let outer = askedTables
        askedTables = []
        defer {
            identities.formUnion(askedTables ?? [])
            askedTables = outer
        }
        try body(&self)
    }

    /// Whether a table in view that can be asked for by identity has this name.
    package func isNamed(_ name: String) -> Bool {
        tables.values.contains { ($0.qualifier ?? $0.name).lowercased() == name.lowercased() }
    }

    /// Writes columns that name no table as those of a table; outside of any if nil.
    package mutating func inTable(
        _ table: Table?, _ body: (inout SQLGenerationContext) throws -> Void
    ) rethrows {
        let outerTable = self.table
        self.table = table
        defer { self.table = outerTable }
        try body(&self)
    }

    /// Lets tables be asked for by identities while something is written.
    package mutating func naming(
        _ newTables: [ObjectIdentifier: Table],
        _ body: (inout SQLGenerationContext) throws -> Void
    ) rethrows {
        guard !newTables.isEmpty else { return try body(&self) }
        let outerTables = tables
        tables.merge(newTables) { _, new in new }
        defer { tables = outerTables }
        try body(&self)
    }
}
