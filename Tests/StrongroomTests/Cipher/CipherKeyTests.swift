import Foundation
import Testing

@testable import StrongroomCore

@Suite("A cipher key")
struct CipherKeyTests {
    static let digits64 = String(repeating: "0123456789abcdef", count: 4)
    static let digits96 = String(repeating: "0123456789ABCDEF", count: 6)

    // MARK: - Parsing a key file's content

    @Test(
        "is parsed as a passphrase, one final newline dropped",
        arguments: [
            ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"),
            ("secret\n\n", "secret\n"), (" secret ", " secret "), ("é\u{301}", "é\u{301}"),
            ("x", "x"), ("xylophone'", "xylophone'"), (digits64, digits64), ("x\"00\"", "x\"00\""),
        ])
    func passphrase(content: String, expected: String) throws {
        let key = try parse(content)
        #expect(key.form == .passphrase)
        #expect(text(of: key) == Data(expected.utf8))
    }

    @Test(
        "is parsed as a raw key of 64 or 96 digits, in either case",
        arguments: [
            ("x'\(digits64)'", CipherKey.Form.rawKey), ("X'\(digits64.uppercased())'\n", .rawKey),
            ("x'\(digits96)'\r\n", .rawKeyAndSalt), ("x'\(digits96.lowercased())'", .rawKeyAndSalt),
        ])
    func rawKey(content: String, form: CipherKey.Form) throws {
        let key = try parse(content)
        #expect(key.form == form)
        let line = content.trimmingCharacters(in: .newlines)
        #expect(text(of: key) == Data(line.utf8))
    }

    @Test(
        "is refused where SQLCipher would silently take a passphrase",
        arguments: [
            ("x'\(digits64.dropLast())'", CipherKeyError.Code.wrongLength),
            ("x'\(digits64)0'", .wrongLength), ("x''", .wrongLength),
            ("x'\(digits64)\(digits96)'", .wrongLength),
            ("x'\(digits64)", .malformedRawKey), ("x'", .malformedRawKey),
            ("x'\(digits64)' ", .malformedRawKey), ("x'\(digits64)'\n\n", .malformedRawKey),
            (" x'\(digits64)'", .malformedRawKey), ("\"x'\(digits64)'\"", .malformedRawKey),
            ("\u{feff}x'\(digits64)'", .malformedRawKey),
            ("x'\(digits64.dropLast())g'", .malformedRawKey), ("x'secret'", .malformedRawKey),
            ("", .empty), ("\n", .empty), ("\r\n", .empty),
            ("sec\0ret", .containsNUL), ("secret\0", .containsNUL), ("\0", .containsNUL),
        ])
    func refused(content: String, code: CipherKeyError.Code) {
        let error = #expect(throws: CipherKeyError.self) { try parse(content) }
        #expect(error?.code == code)
        #expect(error.map { !"\($0)".contains(Self.digits64.prefix(8)) } == true)
    }

    @Test("is parsed from bytes that are no UTF-8")
    func binary() throws {
        let bytes = Data([0xff, 0xfe, 0x80, 0x0a])
        let key = try bytes.withUnsafeBytes { try CipherKey(parsing: $0) }
        #expect(text(of: key) == bytes.dropLast())
    }

    // MARK: - From values

    @Test("from a String is that of its UTF-8 bytes")
    func stringAndData() throws {
        let key = try CipherKey(passphrase: "clé")
        #expect(try key.isSame(as: CipherKey(passphrase: Data("clé".utf8))))
        #expect(try !key.isSame(as: CipherKey(passphrase: "cle")))
    }

    @Test(
        "given as a passphrase is refused if SQLCipher would take it as a raw key",
        arguments: [
            digits64, digits96, digits64 + digits96,
        ])
    func looksLikeRawKey(digits: String) {
        let error = #expect(throws: CipherKeyError.self) {
            try CipherKey(passphrase: "x'\(digits)'")
        }
        #expect(error?.code == .looksLikeRawKey)
    }

    @Test("given as an empty passphrase, or one with a NUL, is refused")
    func badPassphrases() {
        #expect(throws: CipherKeyError.self) { try CipherKey(passphrase: "") }
        #expect(throws: CipherKeyError.self) { try CipherKey(passphrase: Data()) }
        #expect(throws: CipherKeyError.self) { try CipherKey(passphrase: "a\0") }
    }

    @Test("of raw bytes is written in hexadecimal digits")
    func rawBytes() throws {
        let bytes = Data((0..<32).map { UInt8($0 * 8 + 1) })
        let salt = Data((0..<16).map { UInt8($0 + 0xf0) })
        let hexadecimal = bytes.map { String(format: "%02x", $0) }.joined()
        let key = try CipherKey(rawKey: bytes)
        #expect(key.form == .rawKey)
        #expect(text(of: key) == Data("x'\(hexadecimal)'".utf8))
        let salted = try CipherKey(rawKey: bytes, salt: salt)
        #expect(salted.form == .rawKeyAndSalt)
        #expect(
            text(of: salted) == Data("x'\(hexadecimal)f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'".utf8))
    }

    @Test("of raw bytes has 32 of them, and a salt 16", arguments: [0, 16, 31, 33])
    func rawLengths(count: Int) {
        let error = #expect(throws: CipherKeyError.self) {
            try CipherKey(rawKey: Data(count: count))
        }
        #expect(error?.code == .wrongLength)
        if count != 16 {
            #expect(throws: CipherKeyError.self) {
                try CipherKey(rawKey: Data(count: 32), salt: Data(count: count))
            }
        }
    }

    @Test("that is generated is a raw key, each time another")
    func generated() throws {
        let key = try CipherKey.generated()
        #expect(key.form == .rawKey)
        #expect(text(of: key).count == 67)
        #expect(try !key.isSame(as: CipherKey.generated()))
    }

    // MARK: - Secrecy

    @Test("shows nothing of itself")
    func secrecy() throws {
        let key = try CipherKey(passphrase: "TOPSECRET")
        var dumped = ""
        dump(key, to: &dumped)
        dump(DatabaseKeyHolder(key: key), to: &dumped)
        for text in [dumped, "\(key)", String(reflecting: key), key.description] {
            #expect(!text.contains("TOPSECRET"))
            #expect(!text.contains("84, 79, 80"))
        }
        #expect("\(key)" == "CipherKey (passphrase)")
    }

    private struct DatabaseKeyHolder {
        let key: CipherKey
    }

    private func parse(_ content: String) throws -> CipherKey {
        try Data(content.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
    }

    private func text(of key: CipherKey) -> Data {
        key.withSQLCipherBytes { Data($0) }
    }
}
