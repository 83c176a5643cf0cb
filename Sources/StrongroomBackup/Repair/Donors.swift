import StrongroomCore

/// Who may have the bytes that a repository has lost.
final class Donors {
    let copy: PackStore?
    private let database: CommittedPages?
    /// The packs of the copy whose tables are what their names say.
    private var rows: [UInt32: [PackRow]] = [:]

    init(_ copy: OpenRepository?, _ database: CommittedPages?) throws {
        self.copy = try copy.map { try PackStore($0.folders.packs) }
        self.database = database
    }

    /// A pack of the copy whose table is that of its name, and its rows.
    func pack(_ number: UInt32) -> (reader: PackReader, rows: [PackRow])? {
        guard let copy, copy.names[number] != nil,
            let reader = try? copy.reader(number)
        else { return nil }
        if let known = rows[number] { return (reader, known) }
        guard let digest = PackFormat.parse(reader.name)?.digest,
            let found = try? reader.verifiedRows(digest)
        else { return nil }
        rows[number] = found
        return (reader, found)
    }

    /// The bytes of an entry, with the hash that they should have; nil if nobody has them.
    func entry(_ row: PackRow, slot: Int, of pack: UInt32) -> [UInt8]? {
        if let donor = self.pack(pack), slot < donor.rows.count {
            let other = donor.rows[slot]
            if other.digest == row.digest, other.length == row.length,
                let bytes = Self.bytes(row, { try donor.reader.read($0, at: other.offset) })
            {
                return bytes
            }
        }
        guard let database, row.page != 0, row.page <= database.pageCount,
            Int(row.length) == database.pageSize
        else { return nil }
        return Self.bytes(row) { try database.pages.readPage(row.page, to: $0) }
    }

    private static func bytes(
        _ row: PackRow, _ read: (UnsafeMutableRawBufferPointer) throws -> Void
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(row.length))
        guard (try? bytes.withUnsafeMutableBytes(read)) != nil,
            let digest = try? bytes.withUnsafeBytes({ try ContentDigest(of: $0) }),
            digest == row.digest
        else { return nil }
        return bytes
    }
}
