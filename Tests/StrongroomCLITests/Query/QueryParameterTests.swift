import Strongroom
import StrongroomCLI
import Testing

@Suite struct QueryParameterTests {
    private func storage(_ text: String) throws -> DatabaseValue.Storage {
        try QueryParameter(text).value.storage
    }

    @Test(
        arguments: [
            ("a=5", .int64(5)), ("a=-7", .int64(-7)), ("a=0", .int64(0)),
            ("a=9223372036854775807", .int64(.max)), ("a=9223372036854775808", .double(0x1p63)),
            ("a=1.5", .double(1.5)), ("a=-2e3", .double(-2000)), ("a=1.50", .double(1.5)),
        ] as [(String, DatabaseValue.Storage)])
    func `what JSON takes as a number is a number`(
        text: String, value: DatabaseValue.Storage
    ) throws {
        #expect(try storage(text) == value)
    }

    @Test(arguments: [
        "007", "+1", "1.", ".5", "0x10", "1 ", "", "NULL", "null", "true", "nan", "inf", "1e999",
        "x'00'", "it's", "a=b", "-", "1_000", "٣",
    ])
    func `everything else is text`(text: String) throws {
        #expect(try storage("a=" + text) == .string(text))
    }

    @Test(
        arguments: [
            ("a:=5", .int64(5)), ("a:=\"5\"", .string("5")), ("a:=null", .null),
            ("a:=true", .int64(1)),
            ("a:=false", .int64(0)), ("a:=-1.5", .double(-1.5)),
            (#"a:="\n\u00e9""#, .string("\né")),
        ] as [(String, DatabaseValue.Storage)])
    func `a colon makes the value JSON`(text: String, value: DatabaseValue.Storage) throws {
        #expect(try storage(text) == value)
    }

    @Test(arguments: [":a=1", "@a=1", "$a=1", "a=1", "a:=1", ":a:=1"])
    func `the name may have the prefix that the SQL has`(text: String) throws {
        #expect(try QueryParameter(text).name == "a")
    }

    @Test(arguments: ["a", "=1", ":=1", "a:=SECRET", "a:=[1]", "a:={}", "a:=\"", "a:='x'"])
    func `what is no parameter is refused, its value not repeated`(text: String) {
        let error = #expect(throws: Failure.self) { try QueryParameter(text) }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains("SECRET") == false)
    }
}
