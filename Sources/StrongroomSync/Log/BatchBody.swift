package import StrongroomCore

/// What is encrypted in a batch: what its author had merged, and a part of a unit.
///
/// A unit is all that was committed up to one commit. It is one batch, or several that follow each other in the run
/// and count only together. A part holds one block of changes, or a piece of a block that holds a single long row.
package struct BatchBody: Hashable, Sendable {
    private static let version: UInt64 = 1
    private static let lastPartBit: UInt8 = 1
    private static let blockEndBit: UInt8 = 2
    private static let digestBit: UInt8 = 4
    private static let tokensBit: UInt8 = 8

    /// What the author had merged when the unit was made. Of his own run, what came before the unit.
    package var seen: Vector
    /// The last floor that he had applied.
    package var floor: UInt64
    /// The fingerprint of his schema.
    package var schema: ContentDigest
    /// The digest of his merged state at `seen`; nil if he did not compute it.
    package var digest: [UInt8]?
    /// Of the whole unit, in its first part.
    package var tokens = CounterTokens()
    /// Counts from 0 in each unit.
    package var part: UInt64
    package var isLastPart: Bool
    /// Whether the block ends in this part.
    package var isBlockEnd: Bool
    package var piece: [UInt8]

    package init(
        seen: Vector, floor: UInt64, schema: ContentDigest, digest: [UInt8]?, _ part: UnitPart
    ) {
        self.seen = seen
        self.floor = floor
        self.schema = schema
        self.digest = digest
        self.part = part.index
        isLastPart = part.isLast
        isBlockEnd = part.isBlockEnd
        piece = part.piece
    }

    package var unitPart: UnitPart {
        UnitPart(index: part, isLast: isLastPart, isBlockEnd: isBlockEnd, piece: piece)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: Self.version)
        bytes.append(seen)
        bytes.append(number: floor)
        bytes.append(schema)
        bytes.append(
            (isLastPart ? Self.lastPartBit : 0) | (isBlockEnd ? Self.blockEndBit : 0)
                | (digest == nil ? 0 : Self.digestBit) | (tokens.isEmpty ? 0 : Self.tokensBit))
        bytes.append(number: part)
        bytes += digest ?? []
        if !tokens.isEmpty { bytes.append(tokens) }
        return bytes + piece
    }

    package init(_ bytes: [UInt8]) throws(Refusal) {
        var reader = ObjectReader(bytes)
        guard try reader.number() == Self.version else { throw .unknownVersion }
        seen = try reader.vector()
        floor = try reader.number()
        schema = try reader.digest()
        let bits = try reader.byte()
        guard bits < 16 else { throw .malformed("a mark of no meaning") }
        isLastPart = bits & Self.lastPartBit != 0
        isBlockEnd = bits & Self.blockEndBit != 0
        guard isBlockEnd || !isLastPart else { throw .malformed("a unit ends within a block") }
        part = try reader.number(atMost: HubName.largestNumber)
        digest = bits & Self.digestBit == 0 ? nil : Array(try reader.take(32))
        if bits & Self.tokensBit != 0 {
            guard part == 0 else { throw .malformed("tokens in a later part") }
            tokens = try CounterTokens(&reader)
        }
        piece = Array(try reader.take(reader.remainingCount))
    }
}

/// A part of a unit.
package struct UnitPart: Hashable, Sendable {
    package var index: UInt64
    package var isLast: Bool
    package var isBlockEnd: Bool
    package var piece: [UInt8]
}

/// Cuts the changes of a unit into parts that fit into batches, without keeping more than one batch of them.
package struct UnitWriter {
    /// With padding, header, tag and signature, a batch of that many bytes fits into 1 MiB.
    package static let capacity = (1 << 20) - (1 << 14) - SyncPadding.countByteCount
    private static let aim = 768 << 10

    private let schema: MergeSchema
    private let room: Int
    private let emit: (UnitPart) throws -> Void
    private var changes: [RowChange] = []
    private var tables: Set<Int> = []
    private var byteCount = 0
    private var index: UInt64 = 0
    /// Held back until it is known whether it is the last one.
    private var held: (piece: [UInt8], isBlockEnd: Bool)?

    /// - Parameters:
    ///   - seen: The vector that stands in each part.
    ///   - tokens: Those of the first part.
    ///   - capacity: How long a body may be.
    ///   - emit: Gets one part after the other.
    package init(
        _ schema: MergeSchema, seen: Vector, tokens: CounterTokens = CounterTokens(),
        capacity: Int = capacity, emit: @escaping (UnitPart) throws -> Void
    ) {
        self.schema = schema
        var bytes: [UInt8] = []
        bytes.append(seen)
        bytes.append(tokens)
        // Version, floor, fingerprint, bits, part and digest.
        room = max(capacity - bytes.count - 100, 64)
        self.emit = emit
    }

    /// - Throws: ``Refusal/tooLarge`` for a row of more than 64 MiB.
    package mutating func add(_ change: RowChange) throws {
        let count = change.approximateByteCount
        if byteCount + count > min(Self.aim, room) || changes.count == ChangeBlock.largestCount
            || tables.count == ChangeBlock.largestTableCount
        {
            try flush()
        }
        changes.append(change)
        tables.insert(change.row.table)
        byteCount += count
    }

    /// Emits what is left; the last part says that it is the last one.
    package mutating func finish() throws {
        try flush()
        if held == nil { held = (ChangeBlock.encode([], schema), true) }
        try emitHeld(isLast: true)
    }

    private mutating func flush() throws {
        guard !changes.isEmpty else { return }
        try write(changes[...])
        changes = []
        tables = []
        byteCount = 0
    }

    private mutating func write(_ changes: ArraySlice<RowChange>) throws {
        let block = ChangeBlock.encode(Array(changes), schema)
        if block.count <= room {
            try put(block, isBlockEnd: true)
        } else if changes.count > 1 {
            // The estimate was wrong.
            try write(changes.prefix(changes.count / 2))
            try write(changes.dropFirst(changes.count / 2))
        } else {
            guard block.count <= ChangeBlock.largestRowByteCount else { throw Refusal.tooLarge }
            for start in stride(from: 0, to: block.count, by: room) {
                let end = min(start + room, block.count)
                try put(Array(block[start..<end]), isBlockEnd: end == block.count)
            }
        }
    }

    private mutating func put(_ piece: [UInt8], isBlockEnd: Bool) throws {
        if held != nil { try emitHeld(isLast: false) }
        held = (piece, isBlockEnd)
    }

    private mutating func emitHeld(isLast: Bool) throws {
        guard let part = held else { return }
        try emit(
            UnitPart(
                index: index, isLast: isLast, isBlockEnd: part.isBlockEnd, piece: part.piece))
        index += 1
        held = nil
    }
}

/// Puts the parts of a unit together again.
package struct UnitReader: Sendable {
    private var nextIndex: UInt64 = 0
    private var pending: [UInt8] = []
    /// Whether the last part has come.
    package private(set) var isComplete = false

    package init() {}

    /// - Returns: The changes of the block that ends with this part; nil if none does.
    package mutating func add(
        _ part: UnitPart, _ schema: inout MergeSchema
    ) throws(Refusal) -> [RowChange]? {
        guard !isComplete, part.index == nextIndex else {
            throw .impossible("a part of a unit in a wrong place")
        }
        guard pending.count + part.piece.count <= ChangeBlock.largestRowByteCount else {
            throw .tooLarge
        }
        nextIndex += 1
        isComplete = part.isLast
        guard part.isBlockEnd else {
            guard !part.piece.isEmpty else { throw .malformed("a part without bytes") }
            pending += part.piece
            return nil
        }
        defer { pending = [] }
        let changes = try ChangeBlock.decode(pending + part.piece, &schema)
        guard pending.isEmpty || changes.count == 1 else {
            throw .malformed("a block of several rows in several parts")
        }
        guard changes.allSatisfy(\.state.isValid) else {
            throw .impossible("a state that no device has")
        }
        return changes
    }
}

extension RowChange {
    /// About as many bytes as it takes in a block.
    var approximateByteCount: Int {
        func count(_ value: CellValue) -> Int {
            switch value {
            case .null, .integer: 3
            case .real: 9
            case .text(let bytes), .blob(let bytes): bytes.count + 3
            }
        }
        let cells = state.cells.reduce(0) { sum, cell in
            switch cell.content {
            case .value(let value): sum + count(value) + 2
            case .group(let values): values.reduce(sum + 2) { $0 + count($1.value) }
            }
        }
        let extremes = state.extremes.reduce(0) { $0 + count($1.value) }
        let tombstone =
            state.tombstone.batches.count * 4 + state.tombstone.seen.count * 12
            + state.tombstone.seenCounts.count * 6
        return row.key.bytes.count + 12 + cells + extremes + state.counters.count * 8 + tombstone
    }
}
