/// A defect of SQLite or SQLCipher that can affect an app, and what this library does about it.
public struct EngineDefect: Sendable, Equatable, Identifiable {
    /// A short name that does not change.
    public let id: String
    /// The defect, in half a sentence.
    public let title: String
    /// The versions that have it.
    public let versions: String
    /// What it does to a database or a process.
    public let effect: String
    /// What this library does, and what the app must do.
    public let protection: String
    /// The test of this library that shows the protection, or why there is none.
    public let test: String

    /// Whether a version has it, where the process is not asked.
    let isInVersion: @Sendable (_ sqlite: EngineVersion, _ cipher: EngineVersion) -> Bool

    public static func == (one: Self, other: Self) -> Bool { one.id == other.id }
}

extension EngineDefect {
    /// All known defects, the worst first. `Documentation/SQLCipher.md` has the same table.
    public static let all = [
        walReset, processExit, fullText, aggregates, pageSize, rekey, rekeySalt, export, codecError,
    ]

    /// The version to use if you can choose: it has the fewest of ``all``.
    public static let advice =
        "use SQLCipher 4.19 or later, with SQLite 3.53.4 or later, where you can choose"

    static let walReset = EngineDefect(
        id: "wal-reset", title: "two checkpoints at once lose commits",
        versions: "SQLite 3.7.0 to 3.51.2, but not 3.44.6 and 3.50.7",
        effect: "a database in WAL mode that two processes or pools write becomes malformed",
        protection: "checkpoints of Strongroom never do it; those of other programs still can",
        test: "ENG-01: CheckpointGuardTests, CheckpointStressTests"
    ) { sqlite, _ in
        sqlite >= EngineVersion(3, 7) && sqlite < EngineVersion(3, 51, 3)
            && !(EngineVersion(3, 44, 6)..<EngineVersion(3, 45)).contains(sqlite)
            && !(EngineVersion(3, 50, 7)..<EngineVersion(3, 51)).contains(sqlite)
    }

    static let processExit = EngineDefect(
        id: "process-exit", title: "exit frees the keys that other threads write with",
        versions: "SQLCipher from 4.7 on (4.10, 4.12 and 4.19 were looked at)",
        effect:
            "a process that ends while a thread writes crashes, or leaves a file that no key opens",
        protection:
            "other threads stop at their next page when exit begins; those of other users of "
            + "SQLCipher in the process do not",
        test: "ENG-04: ProcessEndTests"
    ) { _, cipher in cipher >= EngineVersion(4, 7) }

    static let fullText = EngineDefect(
        id: "fts5-overflow",
        title: "FTS5 writes beyond its memory (CVE-2026-11822, CVE-2026-11824)",
        versions: "SQLite before 3.53.3, where it has FTS5",
        effect: "a database created for it takes over a process that searches or checks it",
        protection:
            "nothing but a query, and what is asked to run modules, runs one on a file; an "
            + "app must not search databases of strangers",
        test: "ENG-03: HostileCorpusTests"
    ) { sqlite, _ in sqlite < EngineVersion(3, 53, 3) }

    static let aggregates = EngineDefect(
        id: "aggregate-overflow",
        title: "a query with more aggregates than columns corrupts memory (CVE-2025-6965)",
        versions: "SQLite before 3.50.2",
        effect: "SQL of a stranger, or a view in a database of a stranger, takes over the process",
        protection: "operations on whole files run no view; query, and an app, must not run a "
            + "stranger's",
        test: "HST-01: HostileSchemaTests, which see that no view runs"
    ) { sqlite, _ in sqlite < EngineVersion(3, 50, 2) }

    static let pageSize = EngineDefect(
        id: "page-size-overflow",
        title: "a first page that names a smaller page size makes SQLCipher write beyond memory",
        versions: "4.6.1 and 4.19.0 were tried, and no version is known to be without it",
        effect:
            "a database, log or journal from an attacker with its key crashes the process that "
            + "opens it",
        protection:
            "operations on whole files, query and info refuse such a first page; queues and "
            + "pools of an app do not look, so it must not open databases of strangers",
        test: "ENG-05: FirstPageTests, HeaderFuzzTests"
    ) { _, _ in true }

    static let rekey = EngineDefect(
        id: "rekey-success", title: "rekey reports success, and has changed nothing",
        versions: "SQLCipher before 4.19; next to a reader with a rollback journal, every version",
        effect: "the old key stays in use, or a later write mixes two keys",
        protection: "a change of key counts when another connection has read the file with the new "
            + "one; PRAGMA rekey is refused",
        test: "PassphraseTests, RotationTests"
    ) { _, cipher in cipher < EngineVersion(4, 19) }

    static let rekeySalt = EngineDefect(
        id: "rekey-salt", title: "rekey to a raw key with a salt cannot be undone after a crash",
        versions: "SQLCipher 4.6.1, and no version is known to be without it",
        effect: "with a rollback journal, a process that dies leaves a file that no key opens",
        protection: "rotateKey writes a new file; changePassphrase keeps the salt",
        test: "RotationTests; Tests/Proofs/rotation kills it 300 times"
    ) { _, _ in true }

    static let export = EngineDefect(
        id: "export-injection", title: "sqlcipher_export runs SQL in the name of its source",
        versions: "SQLCipher before 4.15",
        effect: "text that a database says runs with the rights of the process",
        protection: "Strongroom never calls it, and refuses it in query and in every schema",
        test: "HST-01, HST-30: HostileSchemaTests, QueryRulesTests"
    ) { _, cipher in cipher < EngineVersion(4, 15) }

    static let codecError = EngineDefect(
        id: "codec-error", title: "after one damaged page a connection reads nothing more",
        versions: "SQLCipher from 4.7 on, each version with another error",
        effect: "an intact page also looks damaged, or the process looks out of memory",
        protection: "check, doctor and salvage read pages without SQLite, and keep what was said "
            + "first; an app closes the connection",
        test: "POR-03, POR-04: OtherEnginesTests"
    ) { _, cipher in cipher >= EngineVersion(4, 7) }
}
