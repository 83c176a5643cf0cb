import StrongroomBackup
import StrongroomCore

extension Operand {
    static let repository = Operand(
        "REPO", completion: .folder, help: "the backup repository: a folder or a URL")
    static let backupName = Operand(
        "ID", completion: .nothing, isOptional: true,
        help: "a backup, by its number or ID as list has them, or latest (default: the last one)")
    static let backupOnTrial = Operand(
        "ID", completion: .nothing, isOptional: true,
        help: "also restore this backup on trial: its number or ID as list has them, or latest")
}

extension Backup {
    /// `2026-11-21 15:04:05`, in UTC.
    var time: String {
        String(dateText.prefix(10)) + " " + dateText.dropFirst(11).prefix(8)
    }

    var json: JSONValue {
        .object([
            .init("id", .string(id)),
            .init("number", .integer(Int64(number))),
            .init("date", .string(dateText)),
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
            .init("isDatedBack", .boolean(isDatedBack)),
            .init("notices", .array(notices.map { .string($0) })),
        ])
    }
}
