import StrongroomCore

/// Where an entry of a pack is, and what it must be.
struct PageReference: Equatable, Sendable {
    static let byteCount = 40

    let digest: ContentDigest
    let pack: UInt32
    let slot: UInt32

    init(_ digest: ContentDigest, pack: UInt32, slot: UInt32) {
        self.digest = digest
        self.pack = pack
        self.slot = slot
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount,
            let digest = ContentDigest(UnsafeRawBufferPointer(rebasing: bytes[..<32]))
        else { return nil }
        self.init(digest, pack: bytes.littleEndian32(at: 32), slot: bytes.littleEndian32(at: 36))
    }

    /// Pack and slot in one number.
    var place: UInt64 { UInt64(pack) << 32 | UInt64(slot) }
}

/// A node of the tree over a backup's pages: up to 64 references, one after the other.
enum TreeNode {
    static let fanOut: UInt32 = 64

    static func encode(_ references: [PageReference]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(references.count * PageReference.byteCount)
        for reference in references {
            reference.digest.withUnsafeBytes { bytes.append(contentsOf: $0) }
            bytes.append(littleEndian: reference.pack)
            bytes.append(littleEndian: reference.slot)
        }
        return bytes
    }

    /// Nil for what is no node.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> [PageReference]? {
        let size = PageReference.byteCount
        guard !bytes.isEmpty, bytes.count.isMultiple(of: size),
            bytes.count <= Int(fanOut) * size
        else { return nil }
        return stride(from: 0, to: bytes.count, by: size).compactMap {
            PageReference(UnsafeRawBufferPointer(rebasing: bytes[$0..<($0 + size)]))
        }
    }

    /// How many levels of nodes stand over the pages; 1 at least.
    static func height(pageCount: UInt32) -> Int {
        var height = 1
        var reach = UInt64(fanOut)
        while reach < UInt64(pageCount) {
            reach *= UInt64(fanOut)
            height += 1
        }
        return height
    }
}

extension UnsafeRawBufferPointer {
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
