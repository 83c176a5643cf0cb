import Foundation
import Strongroom
import StrongroomBackup

extension Operand {
    static let repository = Operand("REPO", help: "the folder of the backup repository")
    static let backupName = Operand(
        "ID", completion: .nothing, isOptional: true,
        help: "a backup, as list names it (default: the last one)")
}

/// What the commands on repositories share.
struct BackupWork {
    let surroundings: Surroundings
    /// What is being done, as the progress line names it: `storing`.
    let title: String

    func run<Result>(_ work: (@escaping BackupProgress.Handler) throws -> Result) throws -> Result {
        let line = surroundings.progressColumns().map { _ in
            ProgressLine(
                output: surroundings.errors, columns: { surroundings.progressColumns() ?? 80 },
                now: surroundings.now)
        }
        defer { line?.finish() }
        return try work { progress in
            try surroundings.cancellation.check()
            line?.update(
                title(of: progress.phase), fraction: progress.fractionCompleted,
                detail: Self.detail(progress))
        }
    }

    private func title(of phase: BackupProgress.Phase) -> String {
        switch phase {
        case .waiting: "waiting for another run"
        case .preparing: "preparing"
        case .storing, .restoring: title
        case .verifying: "verifying"
        case .pruning: "pruning"
        case .finishing: "finishing"
        }
    }

    private static func detail(_ progress: BackupProgress) -> String {
        guard progress.totalByteCount > 0 else { return "" }
        let done = ByteCount.text(min(progress.completedByteCount, progress.totalByteCount))
        return "\(done) of \(ByteCount.text(progress.totalByteCount))"
    }
}

extension Backup {
    /// `2026-11-21 15:04:05`, in UTC.
    var time: String {
        String(iso.prefix(19)).replacingOccurrences(of: "T", with: " ")
    }

    private var iso: String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    var json: JSONValue {
        .object([
            .init("id", .string(id)),
            .init("number", .integer(Int64(number))),
            .init("date", .string(iso)),
            .init("tag", tag.map { .string($0) } ?? .null),
            .init("database", .string(databaseName)),
            .init("byteCount", .integer(byteCount)),
            .init("pageCount", .integer(Int64(pageCount))),
            .init("pageSize", .integer(Int64(pageSize))),
            .init("kind", .string(base == nil ? "full" : "increment")),
            .init("storedPageCount", .integer(Int64(storedPageCount))),
            .init("storedByteCount", .integer(storedByteCount)),
            .init("keyIdentifier", .string(keyIdentifier)),
            .init("cipherPragmas", .array(cipherPragmas.map { .string($0) })),
            .init("schemaVersion", .integer(Int64(schemaVersion))),
            .init("userVersion", .integer(Int64(userVersion))),
            .init("hash", .string(hash)),
        ])
    }
}
