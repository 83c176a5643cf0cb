package import StrongroomCore
import StrongroomEssentials

/// A value for a parameter of the SQL: `name=value` or `name:=json`.
///
/// In `name=value`, what JSON would take as a number is a number, and everything else is text: `5` and
/// `-1.5e3` are numbers; `007`, `+1`, `1.` and `0x10` are text. `name:=json` says exactly what is meant:
/// `zip:="5"`, `limit:=10`, `note:=null`, `done:=true`. A `?` has its number for a name: `1=Arthur`.
package struct QueryParameter: Sendable, Equatable {
    package let name: String
    package let value: DatabaseValue

    package init(_ text: String) throws(Failure) {
        guard let equals = text.firstIndex(of: "=") else {
            throw .usage("a parameter is written name=value", hint: "for example: -p name=Arthur")
        }
        let isJSON = text[..<equals].hasSuffix(":")
        var name = isJSON ? text[..<equals].dropLast() : text[..<equals]
        if let first = name.first, ":@$?".contains(first) { name = name.dropFirst() }
        guard !name.isEmpty else {
            throw .usage("a parameter needs a name", hint: "for example: -p name=Arthur")
        }
        let value = String(text[text.index(after: equals)...])
        self.name = String(name)
        self.value = try isJSON ? Self.json(value, self.name) : Self.plain(value)
    }

    private static func plain(_ text: String) -> DatabaseValue {
        number(text) ?? text.databaseValue
    }

    private static func json(_ text: String, _ name: String) throws(Failure) -> DatabaseValue {
        switch text {
        case "null": return .null
        case "true": return 1.databaseValue
        case "false": return 0.databaseValue
        default: break
        }
        if let number = number(text) { return number }
        if text.hasPrefix("\""),
            let string = try? JSONDecoder().decode(String.self, from: Data(text.utf8))
        {
            return string.databaseValue
        }
        // The value may be a secret of the database: it is not repeated.
        throw .usage(
            "the parameter \(name) is not a JSON string, number, true, false or null",
            hint: "for example: -p 'name:=\"text\"'")
    }

    /// A number in JSON's notation; integers beyond 64 bits become real, as in SQLite.
    private static func number(_ text: String) -> DatabaseValue? {
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
            return nil
        }
        if let integer = Int64(text) { return integer.databaseValue }
        guard let real = Double(text), real.isFinite else { return nil }
        return real.databaseValue
    }
}

extension QueryParameter {
    /// Refuses a parameter that no statement of the SQL uses, and one that is given twice.
    static func check(_ parameters: [QueryParameter], for sql: String) throws(Failure) {
        let used = Set(places(in: sql).flatMap { $0 }.compactMap(\.self))
        var given: Set<String> = []
        for parameter in parameters {
            guard used.contains(parameter.name) else {
                let similar = Suggestion.closest(to: parameter.name, among: used.sorted())
                let kind = Int(parameter.name) == nil ? "named" : "number"
                throw .usage(
                    "the SQL has no parameter \(kind) \(parameter.name)",
                    hint: similar.map { "did you mean \($0)?" })
            }
            guard given.insert(parameter.name).inserted else {
                throw .usage("the parameter \(parameter.name) is given twice")
            }
        }
    }

    /// The arguments of one statement, by their places.
    static func arguments(
        _ parameters: [QueryParameter], of statement: Statement
    ) throws(Failure) -> StatementArguments {
        let values = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
        var arguments: [DatabaseValue] = []
        for name in places(in: statement.sql).first ?? [] {
            guard let name else {
                arguments.append(.null)
                continue
            }
            guard let value = values[name] else {
                throw Failure(
                    .failed, "missing statement argument: \(name)",
                    hint: "give it: -p \(ShellWord.text(name + "=value"))")
            }
            arguments.append(value)
        }
        return StatementArguments(arguments)
    }

    /// The names of the parameters of each statement, at the places that SQLite gives them: `?` has the
    /// place after the highest one so far, and its number as its name. Nil for a place that is not used.
    /// <https://www.sqlite.org/lang_expr.html#varparam>
    private static func places(in sql: String) -> [[String?]] {
        sql.withSQLLexer { lexer in
            var statements: [[String?]] = [[]]
            var known: [String: Int] = [:]
            while let token = lexer.next() {
                switch token.kind {
                case .semicolon:
                    statements.append([])
                    known = [:]
                case .parameter:
                    place(String(lexer.text(token)), &known, &statements[statements.count - 1])
                default: break
                }
            }
            return statements
        }
    }

    private static func place(
        _ text: String, _ known: inout [String: Int], _ places: inout [String?]
    ) {
        var name = String(text.dropFirst())
        var place = places.count + 1
        if text.hasPrefix("?") {
            // SQLite has refused what is beyond its limit before this is asked of a statement.
            if let number = Int(name), (1...32_766).contains(number) { place = number }
            name = String(place)
        } else {
            place = known.updateValue(known[text] ?? place, forKey: text) ?? place
        }
        while places.count < place { places.append(nil) }
        places[place - 1] = name
    }
}
