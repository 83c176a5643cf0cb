package import StrongroomCore

/// What a snapshot says of itself: who made it, and which parts it has.
///
/// The parts can only be read with it, and it is put into the hub after them: a snapshot that is half there has none.
package struct SnapshotManifest: Hashable, Sendable {
    static let headerByteCount = ObjectStart.byteCount + 36
    private static let version: UInt64 = 1

    package struct Part: Hashable, Sendable {
        /// The hash of the object.
        package var hash: ContentDigest
        package var byteCount: Int
    }

    package struct Header: Hashable, Sendable {
        package var start: ObjectStart
        package var epoch: UInt32
        package var salt: [UInt8]

        package init(_ start: ObjectStart, epoch: UInt32, salt: [UInt8]) {
            self.start = start
            self.epoch = epoch
            self.salt = salt
        }

        func append(to bytes: inout [UInt8]) {
            start.append(to: &bytes)
            bytes.append(fixed: epoch)
            bytes += salt
        }

        /// What the snapshot's names begin with, and what the keys of its parts depend on.
        package func id() throws -> ContentDigest {
            var bytes: [UInt8] = []
            append(to: &bytes)
            return try .of(bytes)
        }
    }

    /// Whether every device has to merge it: its author has merged what the logs in the hub do not have.
    package var isRepair: Bool
    package var vector: Vector
    /// The last batch of each run of the vector: what the next batch of the run has to follow.
    package var tails: [Run: LogTail]
    package var floor: Floor
    /// The fingerprint of the author's schema.
    package var schema: ContentDigest
    /// The digest of the state.
    package var digest: [UInt8]
    package var rowCount: UInt64
    package var parts: [Part]

    package init(
        isRepair: Bool = false, vector: Vector, tails: [Run: LogTail], floor: Floor,
        schema: ContentDigest, digest: [UInt8], rowCount: UInt64, parts: [Part]
    ) {
        self.isRepair = isRepair
        self.vector = vector
        self.tails = tails
        self.floor = floor
        self.schema = schema
        self.digest = digest
        self.rowCount = rowCount
        self.parts = parts
    }

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: Self.version)
        bytes.append(isRepair ? 1 : 0)
        bytes.append(vector)
        for (_, tail) in sortedTails {
            bytes.append(tail.hash)
            bytes.append(number: tail.roster)
        }
        bytes.append(number: floor.number)
        bytes.append(floor.passed)
        bytes.append(floor.known)
        bytes.append(schema)
        bytes += digest
        bytes.append(number: rowCount)
        bytes.append(number: UInt64(parts.count))
        for part in parts {
            bytes.append(part.hash)
            bytes.append(number: UInt64(part.byteCount))
        }
        return bytes
    }

    /// In the order of their runs; one for each run of the vector.
    private var sortedTails: [(run: Run, tail: LogTail)] {
        vector.numbers.keys.sorted().compactMap { run in tails[run].map { (run, $0) } }
    }

    private init(_ bytes: [UInt8]) throws(Refusal) {
        var reader = ObjectReader(bytes)
        guard try reader.number() == Self.version else { throw .unknownVersion }
        isRepair = try reader.flag()
        vector = try reader.vector()
        tails = [:]
        for run in vector.numbers.keys.sorted() {
            let hash = try reader.digest()
            let roster = try reader.number(atMost: HubName.largestNumber)
            tails[run] = LogTail(vector[run], hash, roster: roster)
        }
        floor = Floor(
            number: try reader.number(), passed: try reader.vector(), known: try reader.vector())
        guard vector.covers(floor.known) else {
            throw .impossible("a floor that the snapshot does not cover")
        }
        schema = try reader.digest()
        digest = Array(try reader.take(32))
        rowCount = try reader.number(atMost: HubName.largestNumber)
        parts = []
        for _ in 0..<(try reader.count(eachAtLeast: ContentDigest.byteCount + 1)) {
            let hash = try reader.digest()
            let count = try reader.number(atMost: UInt64(SnapshotPart.largestByteCount))
            parts.append(Part(hash: hash, byteCount: Int(count)))
        }
        try reader.requireEnd()
    }

    // MARK: - Objects

    /// How many bytes all parts have together.
    package var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }

    /// The manifest as it is in the hub.
    package func sealed(
        _ header: Header, key: SpaceKey, signedBy signer: SigningKey
    ) throws -> [UInt8] {
        guard Set(tails.keys) == Set(vector.numbers.keys) else {
            throw Refusal.impossible("a vector without its batches")
        }
        let messageKey = try key.key(for: "manifest", salt: header.salt, header: header.id())
        let ciphertext = try SyncPadding.padme.pad(bytes).withUnsafeBytes {
            try SealedBox.seal($0, key: messageKey)
        }
        var object: [UInt8] = []
        header.append(to: &object)
        object += ciphertext
        let signed = try SignedBytes(signing: object, with: signer).bytes
        guard signed.count <= BatchHeader.largestByteCount else { throw Refusal.tooLarge }
        return signed
    }

    /// A manifest of which nothing is verified yet.
    package struct Sealed: Sendable {
        package let header: Header
        let signed: SignedBytes

        package init(_ bytes: [UInt8]) throws(Refusal) {
            signed = try SignedBytes(bytes, limit: BatchHeader.largestByteCount)
            var reader = ObjectReader(signed.content)
            let start = try ObjectStart(.manifest, &reader)
            let epoch = try reader.fixed(UInt32.self)
            header = Header(
                start, epoch: epoch, salt: Array(try reader.take(BatchHeader.saltByteCount)))
        }

        /// - Throws: ``Refusal``.
        package func open(with key: SpaceKey) throws -> SnapshotManifest {
            guard key.epoch == header.epoch else { throw Refusal.noKey }
            let messageKey = try key.key(
                for: "manifest", salt: header.salt, header: header.id())
            let ciphertext = Array(signed.content[SnapshotManifest.headerByteCount...])
            guard let padded = try SealedBox.open(ciphertext, key: messageKey) else {
                throw Refusal.notDecrypted
            }
            return try SnapshotManifest(SyncPadding.unpad(padded.withUnsafeBytes { Array($0) }))
        }
    }
}

/// The parts of snapshots as they are in the hub.
enum SnapshotPart {
    static let largestByteCount = 4 << 20
    /// With padding and tag, a part of that many bytes fits into 4 MiB.
    static let capacity = (4 << 20) - (1 << 16) - SyncPadding.countByteCount

    /// What a part begins with.
    enum Kind: UInt8 {
        /// Blocks, each with its number of bytes before it.
        case blocks = 0
        /// A piece of a block of one row, which goes on.
        case piece = 1
        /// The end of such a block.
        case end = 2
    }

    static func seal(
        _ content: [UInt8], _ number: UInt64, _ header: SnapshotManifest.Header, _ key: SpaceKey
    ) throws -> [UInt8] {
        let messageKey = try key.key(for: "part \(number)", salt: header.salt, header: header.id())
        return try SyncPadding.padme.pad(content).withUnsafeBytes {
            try SealedBox.seal($0, key: messageKey)
        }
    }

    static func open(
        _ bytes: [UInt8], _ number: UInt64, _ header: SnapshotManifest.Header, _ key: SpaceKey
    ) throws -> [UInt8] {
        let messageKey = try key.key(for: "part \(number)", salt: header.salt, header: header.id())
        guard let padded = try SealedBox.open(bytes, key: messageKey) else {
            throw Refusal.notDecrypted
        }
        return try SyncPadding.unpad(padded.withUnsafeBytes { Array($0) })
    }
}
