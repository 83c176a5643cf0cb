package import StrongroomCore

/// Makes the parts of a snapshot, one after the other, and then its manifest.
package struct SnapshotWriter: ~Copyable {
    private static let blockAim = 256 << 10

    private let header: SnapshotManifest.Header
    private let key: SpaceKey
    private let schema: MergeSchema
    private let emit: (HubName, [UInt8]) throws -> Void
    private let id: ContentDigest
    private var rows: [RowChange] = []
    private var approximateCount = 0
    private var content: [UInt8] = [SnapshotPart.Kind.blocks.rawValue]
    private var parts: [SnapshotManifest.Part] = []
    private var rowCount: UInt64 = 0
    private var digest: DigestKeeper

    /// - Parameter emit: Gets each part and its name; the manifest is for the caller to put, last.
    package init(
        _ header: SnapshotManifest.Header, key: SpaceKey, _ schema: MergeSchema,
        emit: @escaping (HubName, [UInt8]) throws -> Void
    ) throws {
        let id = try header.id()
        digest = try DigestKeeper()
        self.header = header
        self.key = key
        self.schema = schema
        self.emit = emit
        self.id = id
    }

    /// Adds a row; they come in the order of the bytes of their tables' names, then of their keys.
    package mutating func add(_ row: RowChange) throws {
        try digest.follow(row.row, in: schema[row.row.table], from: nil, to: row.state)
        rows.append(row)
        rowCount += 1
        approximateCount += row.approximateByteCount
        if approximateCount >= Self.blockAim || rows.count == ChangeBlock.largestCount {
            try flush()
        }
    }

    /// The manifest, signed.
    package consuming func finish(
        isRepair: Bool = false, vector: Vector, tails: [Run: LogTail], floor: Floor,
        fingerprint: ContentDigest, signedBy signer: SigningKey
    ) throws -> (name: HubName, bytes: [UInt8], byteCount: Int) {
        try endRows()
        let manifest = SnapshotManifest(
            isRepair: isRepair, vector: vector, tails: tails, floor: floor, schema: fingerprint,
            digest: digest.digest.bytes,
            rowCount: rowCount, parts: parts)
        let bytes = try manifest.sealed(header, key: key, signedBy: signer)
        return (.manifest(id), bytes, manifest.byteCount)
    }

    /// Emits the last part, if there is something left for it.
    package mutating func endRows() throws {
        try flush()
        try endPart()
    }

    private mutating func flush() throws {
        guard !rows.isEmpty else { return }
        try write(rows[...])
        rows = []
        approximateCount = 0
    }

    private mutating func write(_ rows: ArraySlice<RowChange>) throws {
        let block = ChangeBlock.encode(Array(rows), schema)
        if block.count <= ChangeBlock.largestByteCount {
            if content.count + block.count + 10 > SnapshotPart.capacity { try endPart() }
            content.append(counted: block)
        } else if rows.count > 1 {
            try write(rows.prefix(rows.count / 2))
            try write(rows.dropFirst(rows.count / 2))
        } else {
            try writePieces(block)
        }
    }

    private mutating func writePieces(_ block: [UInt8]) throws {
        guard block.count <= ChangeBlock.largestRowByteCount else { throw Refusal.tooLarge }
        try endPart()
        let room = SnapshotPart.capacity - 1
        for start in stride(from: 0, to: block.count, by: room) {
            let end = min(start + room, block.count)
            let kind: SnapshotPart.Kind = end == block.count ? .end : .piece
            try put([kind.rawValue] + block[start..<end])
        }
    }

    private mutating func endPart() throws {
        guard content.count > 1 else { return }
        try put(content)
        content = [SnapshotPart.Kind.blocks.rawValue]
    }

    private mutating func put(_ content: [UInt8]) throws {
        let number = UInt64(parts.count)
        let bytes = try SnapshotPart.seal(content, number, header, key)
        try emit(.part(id, number), bytes)
        parts.append(.init(hash: try .of(bytes), byteCount: bytes.count))
    }
}

/// Reads the parts of a snapshot in their order, and verifies that they are what the manifest says.
package struct SnapshotReader: ~Copyable {
    package let manifest: SnapshotManifest
    private let header: SnapshotManifest.Header
    private let key: SpaceKey
    private var next = 0
    private var pending: [UInt8] = []
    private var last: (table: String, key: RowKey)?
    private var rowCount: UInt64 = 0
    private var digest: DigestKeeper

    /// - Parameter manifest: One whose author and signature are verified.
    package init(
        _ manifest: SnapshotManifest, _ header: SnapshotManifest.Header, key: SpaceKey
    ) throws {
        digest = try DigestKeeper()
        self.manifest = manifest
        self.header = header
        self.key = key
    }

    /// The name of the part that is to be read next; nil after the last one.
    package var nextName: HubName? {
        get throws {
            next < manifest.parts.count ? .part(try header.id(), UInt64(next)) : nil
        }
    }

    /// The rows of the next part.
    ///
    /// - Throws: ``Refusal``; then nothing that was read counts.
    package mutating func read(
        _ bytes: [UInt8], _ schema: inout MergeSchema
    ) throws -> [RowChange] {
        var rows: [RowChange] = []
        for block in try open(bytes) { rows += try decode(block, &schema) }
        return rows
    }

    /// The blocks of the next part, each of which ``decode(_:_:)`` reads, in their order: so a reader never has the
    /// rows of a whole part in memory.
    package mutating func open(_ bytes: [UInt8]) throws -> [[UInt8]] {
        guard next < manifest.parts.count else { throw Refusal.malformed("one part too many") }
        let part = manifest.parts[next]
        guard bytes.count == part.byteCount, try ContentDigest.of(bytes) == part.hash else {
            throw Refusal.malformed("a part is not the one that the manifest lists")
        }
        let content = try SnapshotPart.open(bytes, UInt64(next), header, key)
        next += 1
        return try blocks(in: content)
    }

    /// The rows of a block.
    package mutating func decode(
        _ block: [UInt8], _ schema: inout MergeSchema
    ) throws -> [RowChange] {
        let rows = try ChangeBlock.decode(block, &schema)
        for row in rows { try take(row, schema) }
        return rows
    }

    /// Verifies that everything was there.
    package consuming func finish() throws {
        guard next == manifest.parts.count, pending.isEmpty else { throw Refusal.missingPart }
        guard rowCount == manifest.rowCount, digest.digest.bytes == manifest.digest else {
            throw Refusal.wrongDigest
        }
    }

    private mutating func blocks(in content: [UInt8]) throws(Refusal) -> [[UInt8]] {
        var reader = ObjectReader(content)
        guard let kind = SnapshotPart.Kind(rawValue: try reader.byte()),
            kind != .blocks || pending.isEmpty
        else { throw .malformed("a part of an unknown kind") }
        guard kind == .blocks else {
            let piece = try reader.take(reader.remainingCount)
            guard pending.count + piece.count <= ChangeBlock.largestRowByteCount, !piece.isEmpty
            else { throw .tooLarge }
            pending += piece
            defer { if kind == .end { pending = [] } }
            return kind == .end ? [pending] : []
        }
        var blocks: [[UInt8]] = []
        while reader.remainingCount > 0 {
            blocks.append(Array(try reader.counted(atMost: ChangeBlock.largestByteCount)))
        }
        return blocks
    }

    private mutating func take(_ row: RowChange, _ schema: MergeSchema) throws {
        let table = schema[row.row.table]
        if let last {
            let isLater =
                last.table.hasSameBytes(as: table.name)
                ? last.key < row.row.key : last.table.precedesByBytes(table.name)
            guard isLater else { throw Refusal.malformed("rows in a wrong order") }
        }
        guard row.state.isValid else { throw Refusal.impossible("a state that no device has") }
        last = (table.name, row.row.key)
        rowCount += 1
        try digest.follow(row.row, in: table, from: nil, to: row.state)
    }
}
