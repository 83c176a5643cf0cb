/// A tokenizer of the app.
///
/// Add it to every connection by `Configuration.prepareDatabase`, and name it in the definition of
/// a table:
///
///     config.prepareDatabase { db in db.add(tokenizer: MyTokenizer.self) }
///
///     try db.create(virtualTable: "book", using: FTS5()) { t in
///         t.tokenizer = MyTokenizer.tokenizerDescriptor()
///         t.column("title")
///     }
///
/// The name stands in the schema: who opens the file without the tokenizer can't use the table.
public protocol FTS5CustomTokenizer: FTS5Tokenizer {
    /// The name in SQL.
    static var name: String { get }

    /// Makes a tokenizer; one that throws makes the table unusable.
    ///
    /// - Parameters:
    ///   - db: The connection that uses the tokenizer.
    ///   - arguments: What stands after the name in the definition of the table.
    /// - Throws: What is wrong with the arguments. The statement that needs the tokenizer throws
    ///   `DatabaseError` with the code of the error.
    init(db: Database, arguments: [String]) throws
}

extension FTS5CustomTokenizer {
    /// What names the tokenizer in the definition of a table.
    public static func tokenizerDescriptor(
        arguments: [String] = []
    ) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: [name] + arguments)
    }
}

extension Database {
    /// Adds a tokenizer, or replaces the one of its name for tables that are opened after.
    ///
    /// Do so in `Configuration.prepareDatabase`, so that every connection has the tokenizer. Where
    /// SQLCipher has no FTS5 this does nothing, and what uses FTS5 throws.
    ///
    /// - Precondition: The name contains no NUL.
    public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) {
        precondition(
            !Tokenizer.name.utf8.contains(0), "the name of a tokenizer must not contain NUL")
        guard let connection = openConnection else { return }
        // FTS5 keeps the tokenizer with the connection, of which this object may lose hold first.
        try? CustomTokenizer.add(connection, name: Tokenizer.name) { [weak self] arguments in
            guard let self else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
            return TokenizerBody(try Tokenizer(db: self, arguments: arguments))
        }
    }

    /// Makes a tokenizer, to have texts cut into tokens by it.
    ///
    ///     let tokens = try db.makeTokenizer(.porter()).tokenize(document: "SQLite databases")
    ///
    /// - Throws: `SQLITE_ERROR` when there is none of that name, or it refuses its arguments.
    public func makeTokenizer(
        _ descriptor: FTS5TokenizerDescriptor
    ) throws -> any FTS5Tokenizer {
        guard !descriptor.components.contains(where: { $0.utf8.contains(0) }) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "a tokenizer's arguments contain NUL")
        }
        return RegisteredTokenizer(
            try CustomTokenizer.make(
                try connection(), name: descriptor.components[0],
                arguments: Array(descriptor.components.dropFirst())))
    }
}
