/// The known defects of the SQLite and SQLCipher in this process.
///
/// ```swift
/// let report = try EngineReport()
/// print(report.findings.map(\.defect.title), EngineDefect.advice)
/// ```
public struct EngineReport: Sendable {
    /// A defect that this engine has.
    public struct Finding: Sendable, Equatable {
        /// The defect.
        public let defect: EngineDefect
        /// Whether a test of the engine showed it. Otherwise only its version indicates it, and a
        /// distribution may have repaired it without a new version number.
        public let isProved: Bool
    }

    /// The version of SQLite, such as `3.46.1`.
    public let sqliteVersion: String
    /// The version of SQLCipher, such as `4.6.1 community`.
    public let cipherVersion: String
    /// Its defects, the worst first.
    public let findings: [Finding]

    /// - Parameter folder: A folder for the files that test the engine; they stay there. If nil,
    ///   only versions count.
    /// - Throws: `DatabaseError` if the process runs no SQLCipher.
    public init(probingIn folder: String? = nil) throws {
        try SQLCipherLibrary.requireUsable()
        let cipher = SQLCipherLibrary.version ?? ""
        let sqlite = SQLCipherLibrary.sqliteVersion
        sqliteVersion = sqlite
        cipherVersion = cipher
        findings = EngineDefect.all.compactMap { defect in
            let answer = Self.answer(to: defect, folder)
            let isThere =
                answer ?? defect.isInVersion(EngineVersion(sqlite), EngineVersion(cipher))
            return isThere ? Finding(defect: defect, isProved: answer != nil) : nil
        }
    }

    /// Whether the engine shows the defect; nil where it cannot be asked.
    private static func answer(to defect: EngineDefect, _ folder: String?) -> Bool? {
        switch defect.id {
        case EngineDefect.walReset.id:
            folder.flatMap { try? LogResetProbe.findsDefect(inFolder: $0) }
        case EngineDefect.rekey.id:
            folder.flatMap { try? RekeyProbe.findsDefect(inFolder: $0) }
        case EngineDefect.fullText.id: hasFTS5 ? nil : false
        default: nil
        }
    }

    private static var hasFTS5: Bool {
        let connection = try? ConnectionHandle(path: ":memory:", flags: .readWrite)
        let modules = (try? connection?.texts("PRAGMA module_list")) ?? nil
        return modules?.contains("fts5") ?? true
    }
}
