/// The pragmas that give SQLCipher a key, which must be seen nowhere.
///
/// `rekey_cipher` and `rekey_kdf_iter` are none of them: they were settings, and take no key.
package enum KeyPragma {
    private static let names: Set = ["key", "rekey", "hexkey", "hexrekey", "textkey", "textrekey"]

    /// - Parameter name: In any case, without quotes.
    package static func isName(_ name: String) -> Bool {
        names.contains(name.asciiLowercased)
    }
}
