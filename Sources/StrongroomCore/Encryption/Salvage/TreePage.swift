/// A page of a table or an index, in plaintext. Nothing that it says is believed without a check.
/// <https://www.sqlite.org/fileformat2.html#b_tree_pages>
struct TreePage {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
        var isIndex: Bool { self == .indexLeaf || self == .indexInterior }
    }

    /// What a cell says; which of the fields there are depends on the page.
    struct Cell {
        /// The page with what comes before the cell.
        var child: UInt32?
        /// The number of the row, or the greatest one of the child.
        var rowID: Int64?
        var payload: Payload?
    }

    /// Where the bytes of a record are.
    struct Payload {
        let byteCount: Int
        /// The part that is on the page of the cell.
        let local: [UInt8]
        /// The page with the next part; 0 if there is none.
        let overflow: UInt32
    }

    /// No record is larger. <https://www.sqlite.org/limits.html>
    private static let largestPayload: Int64 = 0x7fff_ffff

    let number: UInt32
    let kind: Kind
    let cellCount: Int
    /// The last child of an interior page.
    let rightChild: UInt32?
    private let bytes: [UInt8]
    private let usableByteCount: Int
    private let start: Int

    /// Nil for a page that is none of a tree.
    init?(_ bytes: [UInt8], number: UInt32, usableByteCount: Int) {
        start = number == 1 ? DatabaseHeader.byteCount : 0
        guard let kind = Kind(rawValue: bytes[start]) else { return nil }
        self.kind = kind
        self.bytes = bytes
        self.number = number
        self.usableByteCount = usableByteCount
        cellCount = bytes.number16(at: start + 3)
        let end = start + (kind.isLeaf ? 8 : 12) + 2 * cellCount
        guard end <= usableByteCount else { return nil }
        rightChild = kind.isLeaf ? nil : bytes.number32(at: start + 8)
    }

    /// Nil for a cell that reaches beyond its page, or says what cannot be.
    func cell(_ index: Int) -> Cell? {
        var offset = bytes.number16(at: start + (kind.isLeaf ? 8 : 12) + 2 * index)
        guard offset >= start + 8, offset + 4 <= usableByteCount else { return nil }
        var cell = Cell()
        if !kind.isLeaf {
            cell.child = bytes.number32(at: offset)
            offset += 4
        }
        var payloadCount: Int64 = 0
        if kind != .tableInterior {
            guard let (count, next) = bytes.variableInteger(at: offset), count >= 0,
                count <= Self.largestPayload
            else { return nil }
            payloadCount = count
            offset = next
        }
        if !kind.isIndex {
            guard let (rowID, next) = bytes.variableInteger(at: offset) else { return nil }
            cell.rowID = rowID
            offset = next
        }
        guard kind != .tableInterior else { return cell }
        cell.payload = payload(Int(payloadCount), at: offset)
        return cell.payload == nil ? nil : cell
    }

    private func payload(_ count: Int, at offset: Int) -> Payload? {
        let local = localByteCount(count)
        let end = offset + local
        guard local < count else {
            guard end <= usableByteCount else { return nil }
            return Payload(byteCount: count, local: Array(bytes[offset..<end]), overflow: 0)
        }
        guard end + 4 <= usableByteCount else { return nil }
        return Payload(
            byteCount: count, local: Array(bytes[offset..<end]),
            overflow: bytes.number32(at: end))
    }

    /// <https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages>
    private func localByteCount(_ count: Int) -> Int {
        let usable = usableByteCount
        let largest = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard count > largest else { return count }
        let smallest = (usable - 12) * 32 / 255 - 23
        let local = smallest + (count - smallest) % (usable - 4)
        return local <= largest ? local : smallest
    }
}
