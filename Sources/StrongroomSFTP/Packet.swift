/// The kinds of packets of SFTP, version 3: draft-ietf-secsh-filexfer-02.
enum PacketKind {
    static let initialize: UInt8 = 1
    static let version: UInt8 = 2
    static let open: UInt8 = 3
    static let close: UInt8 = 4
    static let read: UInt8 = 5
    static let write: UInt8 = 6
    static let linkStatus: UInt8 = 7
    static let handleStatus: UInt8 = 8
    static let openFolder: UInt8 = 11
    static let readFolder: UInt8 = 12
    static let remove: UInt8 = 13
    static let makeFolder: UInt8 = 14
    static let removeFolder: UInt8 = 15
    static let realPath: UInt8 = 16
    static let rename: UInt8 = 18
    static let status: UInt8 = 101
    static let handle: UInt8 = 102
    static let data: UInt8 = 103
    static let name: UInt8 = 104
    static let attributes: UInt8 = 105
    static let extended: UInt8 = 200
    static let extendedReply: UInt8 = 201
}

/// A packet in the making.
struct PacketWriter {
    /// With room for the length in front, and without it.
    private(set) var bytes: [UInt8]

    init(_ kind: UInt8, id: UInt32) {
        bytes = [0, 0, 0, 0, kind]
        append(id)
    }

    init(_ kind: UInt8, version: UInt32) {
        self.init(kind, id: version)
    }

    mutating func append(_ number: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func append(_ number: UInt64) {
        append(UInt32(truncatingIfNeeded: number >> 32))
        append(UInt32(truncatingIfNeeded: number))
    }

    mutating func append(_ string: some Collection<UInt8>) {
        append(UInt32(string.count))
        bytes.append(contentsOf: string)
    }

    mutating func append(_ text: String) {
        append(Array(text.utf8))
    }

    /// The packet with its length.
    func finished() -> [UInt8] {
        var whole = bytes
        let count = UInt32(bytes.count - 4)
        for (index, shift) in ([24, 16, 8, 0] as [UInt32]).enumerated() {
            whole[index] = UInt8(truncatingIfNeeded: count >> shift)
        }
        return whole
    }
}

/// What a server sent, taken apart: whatever it holds, reading it ends in a value or in an error.
struct Packet: Sendable {
    let kind: UInt8
    private var rest: ArraySlice<UInt8>

    init(kind: UInt8, _ body: ArraySlice<UInt8>) {
        self.kind = kind
        rest = body
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() throws(SFTPFailure) -> UInt32 {
        guard rest.count >= 4 else { throw .malformed("a number is cut off") }
        let number = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        rest = rest.dropFirst(4)
        return number
    }

    mutating func longNumber() throws(SFTPFailure) -> UInt64 {
        let high = try number()
        return UInt64(high) << 32 | UInt64(try number())
    }

    mutating func string() throws(SFTPFailure) -> ArraySlice<UInt8> {
        let count = try number()
        guard rest.count >= Int(count) else { throw .malformed("a string is cut off") }
        let string = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return string
    }

    mutating func attributes() throws(SFTPFailure) -> RemoteAttributes {
        let flags = try number()
        var attributes = RemoteAttributes()
        if flags & 1 != 0 { attributes.byteCount = Int64(clamping: try longNumber()) }
        if flags & 2 != 0 { for _ in 0..<2 { _ = try number() } }
        if flags & 4 != 0 { attributes.mode = try number() }
        if flags & 8 != 0 {
            _ = try number()
            attributes.written = Int64(try number())
        }
        if flags & 0x8000_0000 != 0 {
            for _ in 0..<(try number()) {
                _ = try string()
                _ = try string()
            }
        }
        return attributes
    }
}

/// What a server knows of a file, as far as it says so.
struct RemoteAttributes: Sendable, Equatable {
    var byteCount: Int64?
    /// Kind and rights, as POSIX has them.
    var mode: UInt32?
    /// In seconds since 1970.
    var written: Int64?

    var isFolder: Bool { (mode ?? 0) & 0o170_000 == 0o040_000 }
    /// A server that says nothing of kinds has files.
    var isFile: Bool { (mode ?? 0) & 0o170_000 == 0o100_000 || (mode ?? 0) & 0o170_000 == 0 }
    var isLink: Bool { (mode ?? 0) & 0o170_000 == 0o120_000 }
}

/// Why a request had no success.
enum SFTPFailure: Error, Sendable {
    /// The server's own number and words.
    case status(UInt32, String)
    /// What the server sent is no answer of this protocol.
    case malformed(String)
    /// The connection is gone, or there was none.
    case lost(String, hint: String?)

    static let endOfFile: UInt32 = 1
    static let noSuchFile: UInt32 = 2
    static let permissionDenied: UInt32 = 3
    static let generalFailure: UInt32 = 4
    static let unsupported: UInt32 = 8
}
