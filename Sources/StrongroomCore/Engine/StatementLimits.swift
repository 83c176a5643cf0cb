internal import CSQLCipher

/// A table or an index as a stored schema names it.
package struct DefinedName: Equatable {
    package enum Kind: String {
        case table, index
    }

    package let kind: Kind
    package let name: String
    /// The table of an index; of a table, its own name.
    package let table: String

    package init(_ kind: Kind, _ name: String, table: String) {
        self.kind = kind
        self.name = name
        self.table = table
    }
}

/// The statements that a connection takes while it works on a file that someone else may have made.
///
/// 1. SQLite asks when it compiles a statement, before anything of it runs. SQLCipher carries some
///    pragmas out while they are compiled; it asks before that.
/// 2. What is not named here is refused: ATTACH and DETACH, and with them VACUUM; triggers, views,
///    virtual and temporary tables; pragmas and functions that no work on whole files needs.
/// 3. Tables and indexes are created one at a time, as ``ConnectionHooks/define(_:by:_:)`` says.
///
/// <https://www.sqlite.org/c3ref/c_alter_table.html>
package struct StatementLimits {
    /// Functions that may be called, in lower case.
    package var functions: Set<String>
    /// What is being created, and what SQLite has told that the statement creates.
    var definition: DefinedName?
    var created: [DefinedName] = []
    /// The definition is compiled, and was found to be what it should be.
    var isDefinitionRunning = false

    package init(functions: Set<String>) {
        self.functions = functions
    }

    static let schemaTables: Set = [
        "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
    ]

    /// What reading, copying and checking a whole database asks for, and the modules of full-text
    /// search and of R-trees when their tables are checked.
    private static let pragmas: Set = [
        "application_id", "auto_vacuum", "cache_size", "cipher_hmac_pgno",
        "cipher_integrity_check", "cipher_kdf_algorithm", "cipher_page_size",
        "cipher_plaintext_header_size", "cipher_provider", "cipher_salt", "cipher_settings",
        "data_version", "default_cache_size", "encoding", "foreign_key_check",
        "freelist_count", "ignore_check_constraints", "index_list", "integrity_check",
        "journal_mode", "kdf_iter", "locking_mode", "page_count", "page_size", "query_only",
        "quick_check",
        "schema_version", "synchronous", "table_info", "table_list", "table_xinfo",
        "user_version", "wal_autocheckpoint",
    ]

    /// What SQLite asks, in its own words.
    struct Question {
        let action: CInt
        let first: String
        let second: String
        let schema: String
        let isInTrigger: Bool
    }

    func permits(_ question: Question) -> Bool {
        if let definition { return permits(question, for: definition) }
        switch question.action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return true
        case SQLITE_FUNCTION: return functions.contains(question.second.asciiLowercased)
        case SQLITE_PRAGMA: return Self.pragmas.contains(question.first.asciiLowercased)
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            // The module of R-trees prepares its writes before it reads; `query_only` stops them.
            return question.schema == "main" && !question.isInTrigger
                && !Self.schemaTables.contains(question.first.asciiLowercased)
        default: return false
        }
    }

    private func permits(_ question: Question, for definition: DefinedName) -> Bool {
        let first = question.first.asciiLowercased
        switch question.action {
        case SQLITE_FUNCTION: return functions.contains(question.second.asciiLowercased)
        case SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX:
            return question.schema == "main" && question.created.map(isExpected) == true
        case SQLITE_INSERT, SQLITE_UPDATE:
            return question.schema == "main" && Self.schemaTables.contains(first)
        case SQLITE_READ:
            return question.schema == "main"
                && (Self.schemaTables.contains(first)
                    || first == definition.table.asciiLowercased)
        case SQLITE_REINDEX: return first == definition.name.asciiLowercased
        // Generated columns of a new table are tried by a query of SQLite's own.
        case SQLITE_SELECT: return isDefinitionRunning
        default: return false
        }
    }

    /// The definition itself, or what SQLite creates along with a table.
    private func isExpected(_ created: DefinedName) -> Bool {
        guard let definition else { return false }
        let isOwnIndex =
            definition.kind == .table && created.kind == .index
            && created.name.asciiLowercased.hasPrefix("sqlite_autoindex_")
            && created.table.asciiLowercased == definition.name.asciiLowercased
        return created.isSame(as: definition) || isOwnIndex
            || created.isSame(as: DefinedName(.table, "sqlite_sequence", table: "sqlite_sequence"))
    }

    /// Whether the statement that was compiled creates what it should, and nothing else.
    var createsDefinition: Bool {
        guard let definition else { return false }
        return created.contains { $0.isSame(as: definition) } && created.allSatisfy(isExpected)
    }
}

extension DefinedName {
    /// As SQLite compares names.
    func isSame(as other: DefinedName) -> Bool {
        kind == other.kind && name.asciiLowercased == other.name.asciiLowercased
            && table.asciiLowercased == other.table.asciiLowercased
    }
}

extension StatementLimits.Question {
    /// What is created, if it is a table or an index.
    var created: DefinedName? {
        switch action {
        case SQLITE_CREATE_TABLE: DefinedName(.table, first, table: first)
        case SQLITE_CREATE_INDEX: DefinedName(.index, first, table: second)
        default: nil
        }
    }
}

extension ConnectionHooks {
    /// Takes no statements any more but those within limits.
    package func setLimits(_ limits: StatementLimits, _ connection: BorrowedConnection) {
        self.limits = limits
        if !hasAuthorizer { installAuthorizer(connection) }
    }

    /// Runs statements of the library's own that go beyond the limits; none may have text in it
    /// that a file says.
    package func beyondLimits<T, Failure: Error>(
        _ body: () throws(Failure) -> T
    ) throws(Failure) -> T {
        let limits = limits
        self.limits = nil
        defer { self.limits = limits }
        return try body()
    }

    func isPermitted(_ question: StatementLimits.Question) -> Bool {
        guard let limits else { return true }
        if let created = question.created { self.limits?.created.append(created) }
        return limits.permits(question)
    }
}
