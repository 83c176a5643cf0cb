internal import StrongroomCore
internal import StrongroomEssentials

/// What the last exchange found in the hub: kept in the file, so that others can ask for it.
struct HubFindings: Sendable, Hashable, Codable {
    var refused: [SyncStatus.Finding] = []
    var missing: [SyncStatus.MissingBatches] = []
    /// Devices that had merged the same batches and had another state.
    var diverged: [String] = []

    init() {}

    init(_ db: Database) throws {
        guard let bytes = try StoreSetting.findings.bytes(db) else { return }
        do {
            self = try JSONDecoder().decode(HubFindings.self, from: Data(bytes))
        } catch {
            throw SyncError.damagedStore("what was found in the hub")
        }
    }

    func save(_ db: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try StoreSetting.findings.set(db, bytes: Array(try encoder.encode(self)))
    }
}
