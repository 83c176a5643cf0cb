/// Asks the SQLCipher of this process whether it reports a change of key that it has not made.
// Safety: SQLCipher copies the key while it is lent.
package enum RekeyProbe {
    /// - Parameter folder: Where a small file, with nothing in it, is made and left.
    /// - Throws: What SQLite reports if the file cannot be used.
    package static func findsDefect(inFolder folder: String) throws(DatabaseError) -> Bool {
        let path = folder + "/rekey-probe.db"
        let key = "PRAGMA key = \"x'\(String(repeating: "5e", count: 32))'\""
        let writer = try ConnectionHandle(path: path, flags: [.readWrite, .create])
        try writer.execute([key, "PRAGMA synchronous = OFF", "CREATE TABLE t (a)"])
        let reader = try ConnectionHandle(path: path, flags: .readOnly)
        try reader.execute(key)
        _ = try reader.firstText("SELECT count(*) FROM t")
        do throws(DatabaseError) {
            let other = Array("x'\(String(repeating: "ed", count: 32))'".utf8)
            let answer = unsafe other.withUnsafeBytes { bytes in
                Result { () throws(DatabaseError) in try unsafe reader.rekey(bytes) }
            }
            try answer.get()
            return true
        } catch {
            return false
        }
    }
}
