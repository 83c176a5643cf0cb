import Foundation
package import Strongroom

/// A value for a parameter of the SQL: `name=value` or `name:=json`.
///
/// In `name=value`, what JSON would take as a number is a number, and everything else is text: `5` and
/// `-1.5e3` are numbers; `007`, `+1`, `1.` and `0x10` are text. `name:=json` says exactly what is meant:
/// `zip:="5"`, `limit:=10`, `note:=null`, `done:=true`.
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
    /// The arguments of all statements; every parameter must be used by one of them.
    static func arguments(
        _ parameters: [QueryParameter], for sql: String
    ) throws(Failure) -> StatementArguments {
        let used = sql.withSQLLexer { lexer in
            var names: Set<String> = []
            while let token = lexer.next() {
                if token.kind == .parameter { names.insert(String(lexer.text(token).dropFirst())) }
            }
            return names
        }
        var values: [String: (any DatabaseValueConvertible)?] = [:]
        for parameter in parameters {
            guard used.contains(parameter.name) else {
                let similar = Suggestion.closest(to: parameter.name, among: used.sorted())
                throw .usage(
                    "the SQL has no parameter named \(parameter.name)",
                    hint: similar.map { "did you mean \($0)?" })
            }
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw .usage("the parameter \(parameter.name) is given twice")
            }
        }
        return StatementArguments(values)
    }
}
