public import StrongroomEssentials

extension Database {
    /// What a trace reports.
    public struct TracingOptions: OptionSet, Sendable {
        /// The bits, as SQLite numbers them.
        public let rawValue: CInt

        /// Creates options from bits.
        public init(rawValue: CInt) {
            self.rawValue = rawValue
        }

        /// Each statement as it starts.
        public static let statement = TracingOptions(rawValue: 1)
        /// Each statement as it ends, with the time it took.
        public static let profile = TracingOptions(rawValue: 2)
    }

    /// An event of a trace. Keys are removed from its texts.
    public enum TraceEvent: CustomStringConvertible {
        /// A statement starts.
        case statement(Statement)
        /// A statement ended, after this number of seconds.
        case profile(statement: Statement, duration: TimeInterval)

        /// The statement of an event; valid only during the trace call.
        public struct Statement: CustomStringConvertible {
            /// The SQL with placeholders.
            public let sql: String
            let statement: BorrowedStatement
            let showsArguments: Bool
            /// A statement of a trigger comes as a comment, without a text of its own to expand.
            let isOfTrigger: Bool

            /// The SQL with the bound values in place of placeholders: not for logs.
            public var expandedSQL: String {
                // A key bound to ATTACH would show (`Documentation/SQLCipher.md`, "Traces, logs and
                // errors").
                guard !isOfTrigger, sql == sql.redactingKeys(), !StatementKind(sql: sql).mayCarryKey
                else { return sql }
                return statement.expandedSQL.trimmingStatement()
            }

            public var description: String { showsArguments ? expandedSQL : sql }
        }

        /// The SQL, after the duration of a profile: `0.003s SELECT …`.
        public var description: String {
            switch self {
            case .statement(let statement): statement.description
            case .profile(let statement, let duration):
                "\(Self.format(duration)) \(statement.description)"
            }
        }

        /// The description with bound values in place of placeholders: not for logs.
        public var expandedDescription: String {
            switch self {
            case .statement(let statement): statement.expandedSQL
            case .profile(let statement, let duration):
                "\(Self.format(duration)) \(statement.expandedSQL)"
            }
        }

        /// Seconds with three decimals.
        private static func format(_ duration: TimeInterval) -> String {
            let milliseconds = Int((duration * 1000).rounded())
            let decimals = String(milliseconds % 1000 + 1000).dropFirst()
            return "\(milliseconds / 1000).\(decimals)s"
        }
    }

    /// Reports statements to a function; nil, or no options, stops it.
    ///
    ///     db.trace { event in print(event) }
    public func trace(
        options: TracingOptions = .statement, _ trace: ((TraceEvent) -> Void)? = nil
    ) {
        guard let connection = openConnection else { return }
        guard let trace else {
            return hooks.setTrace(connection, statements: false, profiles: false, nil)
        }
        let showsArguments = configuration.publicStatementArguments
        func event(_ statement: BorrowedStatement, _ sql: String) -> TraceEvent.Statement {
            TraceEvent.Statement(
                sql: sql.redactingKeys().trimmingStatement(), statement: statement,
                showsArguments: showsArguments,
                isOfTrigger: sql.hasPrefix("--") && sql != statement.sql)
        }
        hooks.setTrace(
            connection, statements: options.contains(.statement),
            profiles: options.contains(.profile)
        ) { report in
            switch report {
            case .statement(let statement, let sql):
                trace(.statement(event(statement, sql)))
            case .profile(let statement, let nanoseconds):
                let reported = event(statement, statement.sql)
                trace(.profile(statement: reported, duration: Double(nanoseconds) / 1e9))
            }
        }
    }
}
