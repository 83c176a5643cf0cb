import StrongroomTestSupport
import Testing

@Suite("What '#sql' says about its literal")
struct SQLDiagnosticsTests {
    private static let table = "@Table struct Item { let id: Int; var title = \"\" }\n"

    private func expectDiagnostics(
        _ source: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try MacroClient(Self.table + source).expectDiagnostics(location)
    }

    @Test(.proves("LIT-014"))
    func `What is opened must be closed`() throws {
        try expectDiagnostics(
            """
            func sql() {
                _ = #sql("(1 + 2", as: Int.self) // warning: nothing closes '(' | note: Use 'SQLQueryExp
                _ = #sql("1 + 2)", as: Int.self) // warning: nothing opens ')'
                _ = #sql("'a", as: String.self) // warning: nothing closes '''
                _ = #sql("`a", as: String.self) // warning: nothing closes '`'
                _ = #sql("[a", as: String.self) // warning: nothing closes '['
                _ = #sql("a]", as: String.self) // warning: nothing opens ']'
                _ = #sql("(1) + (2)", as: Int.self)
            }
            """)
    }

    @Test(.proves("LIT-015"))
    func `No value stands inside quotes`() throws {
        try expectDiagnostics(
            #"""
            func sql(name: Int) {
                _ = #sql("'\(name)'", as: String.self) // error: a value cannot be bound inside | note: the quotes open here | note: Insert 'raw: '
                _ = #sql("'\(raw: name)'", as: String.self)
                _ = #sql("'a' || \(name)", as: String.self)
            }
            """#)
    }

    @Test(.proves("LIT-016"))
    func `Values are interpolations, not parameters`() throws {
        try expectDiagnostics(
            #"""
            func sql() {
                _ = #sql("1 = ?", as: Bool.self) // error: write values as interpolations
                _ = #sql("1 = :name", as: Bool.self) // error: write values as interpolations
                _ = #sql("1 = @name", as: Bool.self) // error: write values as interpolations
                _ = #sql("1 = $name", as: Bool.self) // error: write values as interpolations
                _ = #sql("1 = '?:name'", as: Bool.self)
            }
            """#)
    }

    @Test(.proves("LIT-017"))
    func `Comments, doubled quotes, brackets and all forms of literals are understood`() throws {
        try expectDiagnostics(
            ##"""
            func sql() {
                _ = #sql("'it''s (' || \"a\"\"(\"", as: String.self)
                _ = #sql("1 -- ( ' ?", as: Int.self)
                _ = #sql("1 /* ( ' ? */ + 2", as: Int.self)
                _ = #sql("1 /* open", as: Int.self) // warning: nothing closes '/*'
                _ = #sql("'[' || ']'", as: String.self)
                _ = #sql(#"'\' || (1)"#, as: String.self)
                _ = #sql(
                    """
                    1 + (2
                    + 3) -- )
                    + 4
                    """, as: Int.self)
            }
            """##)
    }

    @Test(.proves("LIT-018"))
    func `An expression is one statement with something in it`() throws {
        try expectDiagnostics(
            """
            func sql() {
                _ = #sql("", as: Int.self) // warning: the SQL is empty
                _ = #sql("SELECT 1; SELECT 2", as: Int.self) // error: several statements give no value
                _ = #sql("SELECT 1;", as: Int.self)
                _ = #sql("1 == 1", as: Bool.self)
            }
            """)
    }

    @Test(.proves("LIT-010", "LIT-019"))
    func `A text says whether it is a value or SQL`() throws {
        try expectDiagnostics(
            #"""
            func sql(text: String, fragment: QueryFragment) {
                _ = #sql("title = \(text)", as: Bool.self) // warning: 'appendInterpolation' is deprecated: write '\(bind: s)'
                _ = #sql("title = \(bind: text)", as: Bool.self)
                _ = #sql(fragment, as: Bool.self)
                _ = #sql(text, as: Bool.self) // error: cannot convert value of type 'String'
            }
            """#)
    }
}
