public import Foundation

/// The `sqlcipher` shell on one file: the witness for everything that the library writes.
///
/// The key and the SQL go through its standard input, never through its arguments. It is told to
/// sort in memory: unlike the library, Debian's shell writes temporary files, in plaintext.
public struct SQLCipherShell: Sendable {
    public enum Key: Sendable {
        case none
        case passphrase(String)
        /// The 32 bytes of a key, or the 48 of a key and its salt.
        case rawKey(Data)
        /// What a key file holds, a passphrase or `x'…'`: SQLCipher's own reading of it.
        case content(String)
    }

    /// The shell is missing, or it failed: its exit status and what it wrote.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public var path: String
    public var key: Key
    /// Statements that follow the key, such as `PRAGMA cipher_compatibility = 3`.
    public var settings: [String]

    public init(path: String, key: Key = .none, settings: [String] = []) {
        self.path = path
        self.key = key
        self.settings = settings
    }

    /// The rows of all the statements, one after the other.
    public func rows(_ sql: String) throws -> [[Cell]] {
        try Cell.parseRows(run(".mode quote\n\(sql)"))
    }

    /// The first cell of the first row.
    public func cell(_ sql: String) throws -> Cell {
        guard let cell = try rows(sql).first?.first else {
            throw Failure(description: "No row: \(sql)")
        }
        return cell
    }

    /// What the shell writes for SQL and dot commands. The file must exist.
    @discardableResult
    public func run(_ commands: String) throws -> String {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(description: "The sqlcipher shell would create the missing file \(path).")
        }
        return try feed(commands)
    }

    /// Creates the file, which must not exist yet.
    public func create(_ sql: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Failure(description: "There is a file already: \(path)")
        }
        try feed(sql)
    }

    @discardableResult
    private func feed(_ commands: String) throws -> String {
        // PRAGMA key prints "ok", whether the key is right or not.
        let script = """
            .output /dev/null
            \(keyStatement)
            \(settings.map { $0 + ";" }.joined(separator: "\n"))
            .output stdout
            PRAGMA temp_store = MEMORY;
            \(commands)
            ;
            """
        let result: Subprocess.Result
        do {
            result = try Subprocess.run(
                "sqlcipher", ["-batch", "-bail", "-noheader", "-init", "/dev/null", path],
                input: Data(script.utf8))
        } catch let error as SystemCallError where error.code == ENOENT {
            throw Failure(description: "There is no sqlcipher shell here. Type: make setup")
        }
        guard result.isSuccess, result.errors.isEmpty else {
            throw Failure(description: "sqlcipher: \(result.status): \(result.errorText)")
        }
        return result.outputText
    }

    // A wrong key makes SQLCipher write about it to standard error, besides the error itself.
    private var keyStatement: String {
        let literal: String
        switch key {
        case .none: return ""
        case .passphrase(let text), .content(let text): literal = text
        case .rawKey(let bytes):
            literal = "x'\(bytes.map { String(format: "%02x", $0) }.joined())'"
        }
        let quoted = literal.replacingOccurrences(of: "'", with: "''")
        return "PRAGMA key = '\(quoted)';\nPRAGMA cipher_log_level = NONE;"
    }
}
