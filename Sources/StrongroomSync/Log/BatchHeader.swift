package import StrongroomCore

/// What a batch says in plaintext. `Documentation/SyncFormat.md` has it byte by byte under "Batch".
package struct BatchHeader: Hashable, Sendable {
    package static let byteCount = ObjectStart.byteCount + 96
    /// Of the whole object.
    package static let largestByteCount = 1 << 20
    static let saltByteCount = 32

    package var start: ObjectStart
    package var run: Run
    package var number: UInt64
    /// The hash of the batch before in this run; zeros before the first.
    package var previous: ContentDigest
    package var epoch: UInt32
    package var salt: [UInt8]
    package var ciphertextByteCount: UInt32

    package var name: HubName { .batch(start.device, run, number) }

    /// What the key of the batch depends on: all but the last four bytes, which say how long it is.
    func digest() throws -> ContentDigest {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return try .of(bytes.dropLast(4))
    }

    func append(to bytes: inout [UInt8]) {
        start.append(to: &bytes)
        bytes.append(run)
        bytes.append(fixed: number)
        bytes.append(previous)
        bytes.append(fixed: epoch)
        bytes += salt
        bytes.append(fixed: ciphertextByteCount)
    }

    fileprivate init(_ reader: inout ObjectReader) throws(Refusal) {
        start = try ObjectStart(.batch, &reader)
        run = try reader.run()
        number = try reader.fixed()
        guard (1...HubName.largestNumber).contains(number) else {
            throw .malformed("a number is too large")
        }
        previous = try reader.digest()
        epoch = try reader.fixed()
        salt = Array(try reader.take(Self.saltByteCount))
        ciphertextByteCount = try reader.fixed()
    }

    package init(
        start: ObjectStart, run: Run, number: UInt64, previous: ContentDigest?, epoch: UInt32,
        salt: [UInt8]
    ) throws {
        self.start = start
        self.run = run
        self.number = number
        self.previous = try previous ?? Self.noBatch
        self.epoch = epoch
        self.salt = salt
        ciphertextByteCount = 0
    }

    /// What stands for the hash of the batch before the first.
    package static var noBatch: ContentDigest {
        get throws { try ContentDigest([UInt8](repeating: 0, count: 32)) ?? .of([]) }
    }
}

/// A batch as it is in the hub.
package struct SealedBatch: Sendable {
    package let header: BatchHeader
    private let ciphertext: [UInt8]
    private let signed: SignedBytes

    package var bytes: [UInt8] { signed.bytes }

    /// What the next batch of the run names.
    package func hash() throws -> ContentDigest { try .of(bytes) }

    /// Encrypts and signs a content.
    ///
    /// - Throws: ``Refusal/tooLarge`` if no hub would take it.
    package init(
        _ content: [UInt8], _ header: BatchHeader, key: SpaceKey, padding: SyncPadding,
        signedBy signer: SigningKey
    ) throws {
        precondition(header.salt.count == BatchHeader.saltByteCount && key.epoch == header.epoch)
        let messageKey = try key.key(
            for: "batch", salt: header.salt, header: header.digest())
        ciphertext = try padding.pad(content).withUnsafeBytes {
            try SealedBox.seal($0, key: messageKey)
        }
        var header = header
        header.ciphertextByteCount = UInt32(ciphertext.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(BatchHeader.byteCount + ciphertext.count)
        header.append(to: &bytes)
        bytes += ciphertext
        self.header = header
        signed = try SignedBytes(signing: bytes, with: signer)
        guard self.bytes.count <= BatchHeader.largestByteCount else { throw Refusal.tooLarge }
    }

    /// Reads a batch, of which nothing is verified yet.
    package init(_ bytes: [UInt8]) throws(Refusal) {
        signed = try SignedBytes(bytes, limit: BatchHeader.largestByteCount)
        var reader = ObjectReader(signed.content)
        header = try BatchHeader(&reader)
        guard Int(header.ciphertextByteCount) == reader.remainingCount else {
            throw .malformed("the length is not that of the ciphertext")
        }
        ciphertext = Array(try reader.take(reader.remainingCount))
    }

    package func requireSignature(by key: PublicKey) throws {
        try signed.require(by: key)
    }

    /// The content.
    ///
    /// - Throws: ``Refusal``.
    package func open(with key: SpaceKey) throws -> [UInt8] {
        guard key.epoch == header.epoch else { throw Refusal.noKey }
        let messageKey = try key.key(for: "batch", salt: header.salt, header: header.digest())
        guard let padded = try SealedBox.open(ciphertext, key: messageKey) else {
            throw Refusal.notDecrypted
        }
        return try SyncPadding.unpad(padded.withUnsafeBytes { Array($0) })
    }
}

/// What a device says of its own log: a hint, which saves others a look into it.
package struct DeviceHead: Hashable, Sendable {
    package var start: ObjectStart
    package var run: Run
    package var number: UInt64
    /// The hash of that batch.
    package var batch: ContentDigest

    static let byteCount = ObjectStart.byteCount + 56 + PublicKey.signatureByteCount

    package init(_ start: ObjectStart, _ run: Run, _ number: UInt64, _ batch: ContentDigest) {
        self.start = start
        self.run = run
        self.number = number
        self.batch = batch
    }

    package func signed(with key: SigningKey) throws -> [UInt8] {
        var bytes: [UInt8] = []
        start.append(to: &bytes)
        bytes.append(run)
        bytes.append(fixed: number)
        bytes.append(batch)
        return try SignedBytes(signing: bytes, with: key).bytes
    }

    /// Reads a head; `signed` is for who knows the device's key.
    static func read(_ bytes: [UInt8]) throws(Refusal) -> (head: DeviceHead, signed: SignedBytes) {
        let signed = try SignedBytes(bytes, limit: byteCount)
        var reader = ObjectReader(signed.content)
        let start = try ObjectStart(.head, &reader)
        let run = try reader.run()
        let number = try reader.fixed(UInt64.self)
        guard (1...HubName.largestNumber).contains(number) else {
            throw .malformed("a number is too large")
        }
        let head = DeviceHead(start, run, number, try reader.digest())
        try reader.requireEnd()
        return (head, signed)
    }
}
