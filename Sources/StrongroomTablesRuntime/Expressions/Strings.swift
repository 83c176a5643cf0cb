// Functions of texts. Optional texts give optional results. Those whose names Swift's own strings have are
// disfavoured, so that a plain text keeps its methods.

extension QueryExpression where QueryValue.Unwrapped == String {
    /// The text in lower case, ASCII letters only.
    ///
    ///     Item.where { $0.title.lower().eq("milk") }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE lower("items"."title") = 'milk'
    public func lower() -> SQLQueryExpression<QueryValue> { call("lower") }
    /// The text in upper case, ASCII letters only.
    ///
    ///     try Folder.order(by: \.id).select { $0.title.upper() }.fetchAll(db)
    ///     // ["HOME", "GARDEN"]
    public func upper() -> SQLQueryExpression<QueryValue> { call("upper") }
    /// The text without spaces around it.
    ///
    ///     try Item.update { $0.title = $0.title.trim() }.execute(db)
    public func trim() -> SQLQueryExpression<QueryValue> { call("trim") }
    /// The text without these characters around it.
    public func trim(_ characters: some QueryExpression<String>) -> SQLQueryExpression<QueryValue> {
        call("trim", characters.queryFragment)
    }
    /// The text without spaces before it.
    ///
    ///     Item.select { $0.title.ltrim() }  // SELECT ltrim("items"."title") FROM "items"
    public func ltrim() -> SQLQueryExpression<QueryValue> { call("ltrim") }
    /// The text without these characters before it.
    public func ltrim(
        _ characters: some QueryExpression<String>
    ) -> SQLQueryExpression<QueryValue> {
        call("ltrim", characters.queryFragment)
    }
    /// The text without spaces after it.
    ///
    ///     Item.select { $0.note.rtrim() }  // SELECT rtrim("items"."note") FROM "items"
    public func rtrim() -> SQLQueryExpression<QueryValue> { call("rtrim") }
    /// The text without these characters after it.
    public func rtrim(
        _ characters: some QueryExpression<String>
    ) -> SQLQueryExpression<QueryValue> {
        call("rtrim", characters.queryFragment)
    }
    /// The text with another in place of each occurrence of one.
    ///
    ///     try Item.find(4).select { $0.title.replace("Ada", "Grace") }.fetchOne(db)
    ///     // "Call Grace"
    public func replace(
        _ text: some QueryExpression<String>, _ other: some QueryExpression<String>
    ) -> SQLQueryExpression<QueryValue> {
        call("replace", text.queryFragment, other.queryFragment)
    }
    /// The text from a character on, counted from 1.
    public func substr(_ start: some QueryExpression<Int>) -> SQLQueryExpression<QueryValue> {
        call("substr", start.queryFragment)
    }
    /// This many characters of the text from a position on, counted from 1.
    ///
    ///     // The initials of the users.
    ///     try User.select { $0.name.substr(1, 1) }.fetchAll(db)  // ["A", "G"]
    public func substr(
        _ start: some QueryExpression<Int>, _ count: some QueryExpression<Int>
    ) -> SQLQueryExpression<QueryValue> {
        call("substr", start.queryFragment, count.queryFragment)
    }
    /// The number of the first character.
    ///
    ///     try Item.find(1).select { $0.title.unicode() }.fetchOne(db)  // 77
    public func unicode() -> SQLQueryExpression<Int?> { call("unicode") }
    /// The bytes that hexadecimal digits stand for.
    ///
    ///     try Item.find(1).select { $0.title.hex().unhex() }.fetchOne(db)  // [77, 105, 108, 107]
    public func unhex() -> SQLQueryExpression<[UInt8]?> { call("unhex") }
    /// The bytes that hexadecimal digits stand for, with these other characters skipped.
    public func unhex(_ ignored: some QueryExpression<String>) -> SQLQueryExpression<[UInt8]?> {
        call("unhex", ignored.queryFragment)
    }

    /// Whether the text matches a pattern: `%` stands for any text, `_` for any character.
    ///
    ///     try Item.where { $0.title.like("b%") }.select(\.title).fetchAll(db)  // ["Bread"]
    public func like(
        _ pattern: some QueryExpression<String>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("LIKE", pattern.queryFragment)
    }
    /// Whether the text matches a pattern that may be NULL.
    @_disfavoredOverload
    public func like<Pattern: QueryExpression>(
        _ pattern: Pattern
    ) -> SQLQueryExpression<Bool?> where Pattern.QueryValue.Unwrapped == String {
        compare("LIKE", pattern.queryFragment)
    }
    /// Whether the text matches a pattern in which a character escapes `%` and `_`.
    ///
    ///     Item.where { $0.title.like("100!%", escape: "!") }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."title" LIKE '100!%' ESCAPE '!'
    public func like(
        _ pattern: some QueryExpression<String>, escape: Character
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        var result = operandFragment.operand + QueryFragment(text: " LIKE ")
        result += pattern.queryFragment.operand
        result += QueryFragment(text: " ESCAPE " + String(escape).quotedText)
        result.shape = .comparison
        return SQLQueryExpression(result)
    }
    /// Whether the text matches a pattern: `*` stands for any text, `?` for any character.
    ///
    ///     // Case counts here, unlike in 'like'.
    ///     try Item.where { $0.title.glob("[A-C]*") }.select(\.title).fetchAll(db)
    ///     // ["Bread", "Call Ada"]
    public func glob(
        _ pattern: some QueryExpression<String>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("GLOB", pattern.queryFragment)
    }

    private func escapedLike(
        _ before: String, _ text: String, _ after: String
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%")
            .replacing("_", with: "\\_")
        return like(before + escaped + after, escape: "\\")
    }

    /// Whether the text contains another, whatever characters it has.
    ///
    ///     try Item.where { $0.title.contains("ADA") }.select(\.title).fetchAll(db)
    ///     // ["Call Ada"]
    @_disfavoredOverload
    public func contains(
        _ text: String, caseSensitive: Bool = false
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        guard caseSensitive else { return escapedLike("%", text, "%") }
        let position = QueryFragment.call("instr", [queryFragment, text.queryFragment])
        return SQLQueryExpression(.comparison(position, ">", 0.queryFragment))
    }

    /// Whether the text begins with another, whatever characters it has.
    ///
    ///     try Item.where { $0.title.hasPrefix("B") }.select(\.title).fetchAll(db)  // ["Bread"]
    @_disfavoredOverload
    public func hasPrefix(
        _ text: String, caseSensitive: Bool = false
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        guard caseSensitive else { return escapedLike("", text, "%") }
        let count = text.unicodeScalars.count
        let start = QueryFragment.call(
            "substr", [queryFragment, 1.queryFragment, count.queryFragment])
        return SQLQueryExpression(.comparison(start, "=", text.queryFragment))
    }

    /// Whether the text ends with another, whatever characters it has.
    ///
    ///     try Item.where { $0.title.hasSuffix("d") }.select(\.title).fetchAll(db)  // ["Bread"]
    @_disfavoredOverload
    public func hasSuffix(
        _ text: String, caseSensitive: Bool = false
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        guard caseSensitive else { return escapedLike("%", text, "") }
        let start = (-text.unicodeScalars.count).queryFragment
        let end = QueryFragment.call("substr", [queryFragment, start])
        return SQLQueryExpression(.comparison(end, "=", text.queryFragment))
    }

    /// The text, compared in another way.
    ///
    ///     Item.order { $0.title.collate(.nocase) }.select(\.title)
    ///     // SELECT "items"."title" FROM "items" ORDER BY "items"."title" COLLATE "NOCASE"
    public func collate(_ collation: Collation) -> SQLQueryExpression<QueryValue> {
        var result = operandFragment.operand
        result += QueryFragment(text: " COLLATE " + collation.rawValue.quotedIdentifier)
        result.shape = .other
        return SQLQueryExpression(result)
    }
}

extension QueryExpression where QueryValue.Unwrapped: QueryBindable {
    /// The number of characters, or of bytes of a blob.
    ///
    ///     try Item.order { $0.title.length().desc() }.limit(1).select(\.title).fetchOne(db)
    ///     // "Call Ada"
    public func length() -> SQLQueryExpression<Int> where QueryValue.Unwrapped == QueryValue {
        call("length")
    }
    /// The number of characters, or of bytes of a blob.
    @_disfavoredOverload
    public func length() -> SQLQueryExpression<Int?> { call("length") }
    /// The number of bytes.
    ///
    ///     // Titles that are too long for a field of 100 bytes.
    ///     Item.where { $0.title.octetLength() > 100 }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE octet_length("items"."title") > 100
    public func octetLength() -> SQLQueryExpression<Int>
    where QueryValue.Unwrapped == QueryValue {
        call("octet_length")
    }
    /// The number of bytes.
    @_disfavoredOverload
    public func octetLength() -> SQLQueryExpression<Int?> { call("octet_length") }
    /// Where a text begins in this one, counted from 1; 0 when it is not there.
    ///
    ///     try Item.find(4).select { $0.title.instr("Ada") }.fetchOne(db)  // 6
    public func instr(_ text: some QueryExpression<String>) -> SQLQueryExpression<Int>
    where QueryValue.Unwrapped == QueryValue {
        call("instr", text.queryFragment)
    }
    /// Where a text begins in this one, counted from 1; 0 when it is not there.
    @_disfavoredOverload
    public func instr(_ text: some QueryExpression<String>) -> SQLQueryExpression<Int?> {
        call("instr", text.queryFragment)
    }
}

/// A way to compare texts.
public struct Collation: RawRepresentable, Hashable, Sendable {
    /// The name in SQL.
    public let rawValue: String
    /// A collation by its name in SQL.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// ASCII letters without case.
    public static let nocase = Collation(rawValue: "NOCASE")
    /// Byte by byte.
    public static let binary = Collation(rawValue: "BINARY")
    /// Without spaces at the end.
    public static let rtrim = Collation(rawValue: "RTRIM")
}
