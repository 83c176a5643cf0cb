import StrongroomCore

/// `strongroom query FILE SQL`
struct QueryCommand: Command {
    private static let write = Option.flag(
        "write", help: "allow statements that change the database")
    private static let parameter = Option.value(
        "parameter", short: "p", "NAME=VALUE", repetition: .many,
        help:
            "give the parameter :NAME of the SQL a value, or the first ? by 1=VALUE; may be repeated"
    )

    static let syntax = CommandSyntax(
        "query", summary: "run SQL and print the result as a table, JSON or CSV",
        operands: [
            .database,
            Operand(
                "SQL", completion: .nothing,
                help: "one or several statements, or - to read them from standard input"),
        ],
        options: [parameter, write] + QueryFormat.options,
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        notes: [
            "In -p NAME=VALUE, a JSON number is a number, and everything else is text: 5 "
                + "and -1.5e3 are numbers, 007 is text. -p NAME:=JSON sets the type: "
                + "'zip:=\"5\"', n:=5, n:=null, n:=true.",
            "The table shows NULL, aligns numbers to the right, prints blobs as X'…' and "
                + "control characters as \\n or \\u{1B}, and cuts values wider than 120 "
                + "columns. JSON and CSV are exact, and print blobs as base64 text. In CSV, "
                + "NULL is nothing and an empty text is \"\".",
            "The formats list (1|One), line (one line for each column) and quote (SQL "
                + "literals, exact) have no header. Only quote escapes values.",
            "Without --write, nothing is written. Never available: PRAGMA key and rekey, "
                + "cipher settings, ATTACH and VACUUM INTO. With --write, each statement is its "
                + "own transaction, unless the SQL contains BEGIN and COMMIT.",
        ],
        examples: [
            .init(
                line: "strongroom query shop.db 'SELECT * FROM artist LIMIT 5' --key-file shop.key",
                meaning: "a table"),
            .init(
                line: "strongroom query shop.db - --json --key-file shop.key < report.sql",
                meaning: "run SQL from a file, and print JSON"),
            .init(
                line:
                    "strongroom query shop.db 'DELETE FROM artist WHERE id = :id' -p id=5 --write",
                meaning: "change a row"),
        ])

    private let path: String
    private let sql: String
    private let parameters: [QueryParameter]
    private let keySource: KeySource
    private let settings: DatabaseSettings
    private let isWriting: Bool
    private let format: QueryFormat

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        sql = arguments.operands[1]
        var parameters: [QueryParameter] = []
        for text in arguments.values(Self.parameter) { parameters.append(try QueryParameter(text)) }
        self.parameters = parameters
        keySource = try KeyOptions.current.source(in: arguments)
        settings = try DatabaseSettings(arguments)
        isWriting = arguments.contains(Self.write)
        format = try QueryFormat(arguments)
        if sql == "-", keySource == .descriptor(0) {
            throw .usage(
                "the SQL and the key cannot both come from standard input",
                hint: "pass the key through another descriptor: --key-fd 3 3< app.key")
        }
    }

    func run(in context: CommandContext) throws {
        var writer = format.writer(context.output, columns: context.outputColumns)
        do {
            try run(&writer, in: context)
        } catch {
            // Its own failure is that of the output, of which nothing better can be said.
            try? writer.fail()
            throw error
        }
    }

    private func run(_ writer: inout any ResultWriter, in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        let sql = try self.sql == "-" ? Self.readSQL(context) : self.sql
        try SQLRefusal.check(sql)
        try QueryParameter.check(parameters, for: sql)
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: path))
        let queue = try settings.opening(path, key, context) { file in
            try file.undoInterruptedTransaction()
            return try file.open(configuration(of: file))
        }
        let query = Query(
            sql: sql, parameters: parameters, isWriting: isWriting,
            cancellation: context.cancellation)
        try context.cancellation.onCancel({ queue.interrupt() }) {
            // A read sees one state of the database, however many statements it has.
            if isWriting {
                try queue.writeWithoutTransaction { db in try query.run(db, writer: &writer) }
            } else {
                try queue.read { db in try query.run(db, writer: &writer) }
            }
        }
        try queue.close()
    }

    private func configuration(of file: DatabaseFile) -> Configuration {
        var configuration = file.configuration
        configuration.readonly = !isWriting
        configuration.distrustsFile = true
        configuration.busyMode = .timeout(CommandTimeouts.busySeconds)
        return configuration
    }

    private static func readSQL(_ context: CommandContext) throws(Failure) -> String {
        let bytes: [UInt8]
        do throws(Descriptor.ReadingError) {
            bytes = try context.input.readAll(context.cancellation)
        } catch {
            throw error.failure(reading: "standard input")
        }
        guard let sql = String(validating: bytes, as: UTF8.self) else {
            throw .usage("the SQL on standard input is not UTF-8 text")
        }
        return sql
    }
}
