import StrongroomCore
internal import Synchronization

/// The requests of SFTP, version 3, to one server.
final class Client: Sendable {
    /// No server takes less; OpenSSH's takes 256 KiB.
    static let pieceByteCount = 32 << 10

    enum Access {
        static let read: UInt32 = 1
        static let write: UInt32 = 2
        static let create: UInt32 = 8
        static let truncate: UInt32 = 0x10
        static let exclusive: UInt32 = 0x20
    }

    typealias Handle = [UInt8]

    let connection: Connection
    /// Names and versions of what the server offers beyond the protocol.
    let extensions: [String: String]

    init(_ connection: Connection) throws(SFTPFailure) {
        self.connection = connection
        do throws(SFTPFailure) {
            extensions = try Self.begin(connection)
        } catch {
            connection.close()
            throw error
        }
    }

    private static func begin(_ connection: Connection) throws(SFTPFailure) -> [String: String] {
        var packet = try connection.begin()
        guard packet.kind == PacketKind.version else { throw .malformed("no version") }
        let version = try packet.number()
        guard version >= 3 else { throw .malformed("version \(version) of SFTP, and not 3") }
        var extensions: [String: String] = [:]
        while !packet.isAtEnd {
            let name = try packet.string()
            let value = try packet.string()
            extensions[String(decoding: name, as: UTF8.self)] = String(
                decoding: value, as: UTF8.self)
        }
        return extensions
    }

    var renamesOver: Bool { extensions["posix-rename@openssh.com"] != nil }
    var synchronizes: Bool { extensions["fsync@openssh.com"] != nil }
    var reportsSpace: Bool { extensions["statvfs@openssh.com"] != nil }

    // MARK: - Requests

    private func ask(
        _ kind: UInt8, _ fill: (inout PacketWriter) -> Void
    ) throws(SFTPFailure) -> Packet {
        try connection.send(kind, fill).wait()
    }

    /// Asks for something that is done or not.
    private func order(_ kind: UInt8, _ fill: (inout PacketWriter) -> Void) throws(SFTPFailure) {
        try Self.requireSuccess(ask(kind, fill))
    }

    static func requireSuccess(_ packet: Packet) throws(SFTPFailure) {
        var packet = packet
        guard packet.kind == PacketKind.status else { throw .malformed("no status") }
        let code = try packet.number()
        guard code != 0 else { return }
        // Old servers give no words.
        let words = (try? packet.string()) ?? []
        throw .status(code, String(decoding: words, as: UTF8.self))
    }

    /// - Throws: ``SFTPFailure`` `.status`, if that came instead.
    private static func require(_ packet: Packet, _ kind: UInt8) throws(SFTPFailure) {
        if packet.kind == PacketKind.status {
            try requireSuccess(packet)
            throw .malformed("success without a result")
        }
        guard packet.kind == kind else { throw .malformed("an answer of another kind") }
    }

    private func handle(_ answer: Packet) throws(SFTPFailure) -> Handle {
        var answer = answer
        try Self.require(answer, PacketKind.handle)
        let handle = Array(try answer.string())
        guard (1...256).contains(handle.count) else {
            throw .malformed("a handle that is too long")
        }
        return handle
    }

    func open(_ path: String, _ access: UInt32) throws(SFTPFailure) -> Handle {
        try handle(
            ask(PacketKind.open) { packet in
                packet.append(PathText.bytes(of: path))
                packet.append(access)
                let creates = access & Access.create != 0
                packet.append(UInt32(creates ? 4 : 0))
                if creates { packet.append(UInt32(0o600)) }
            })
    }

    func close(_ handle: Handle) throws(SFTPFailure) {
        try order(PacketKind.close) { $0.append(handle) }
    }

    /// Lets go of a handle, without waiting for the answer.
    func beginClosing(_ handle: Handle) {
        _ = try? connection.send(PacketKind.close) { $0.append(handle) }
    }

    /// Asks for bytes, without waiting for them.
    func beginReading(
        _ handle: Handle, at offset: Int64, _ count: Int
    ) throws(SFTPFailure) -> Connection.Reply {
        try connection.send(PacketKind.read) { packet in
            packet.append(handle)
            packet.append(UInt64(offset))
            packet.append(UInt32(count))
        }
    }

    /// The bytes that an answer brings; none at the end of the file.
    static func bytes(_ answer: Packet, limit: Int) throws(SFTPFailure) -> ArraySlice<UInt8> {
        var answer = answer
        do throws(SFTPFailure) {
            try require(answer, PacketKind.data)
        } catch {
            if case .status(SFTPFailure.endOfFile, _) = error { return [] }
            throw error
        }
        let bytes = try answer.string()
        guard bytes.count <= limit else { throw .malformed("more bytes than were asked for") }
        return bytes
    }

    /// Sends bytes, without waiting for the answer.
    func beginWriting(
        _ handle: Handle, _ bytes: some Collection<UInt8>, at offset: Int64
    ) throws(SFTPFailure) -> Connection.Reply {
        try connection.send(PacketKind.write) { packet in
            packet.append(handle)
            packet.append(UInt64(offset))
            packet.append(bytes)
        }
    }

    func status(_ path: String) throws(SFTPFailure) -> RemoteAttributes {
        var answer = try ask(PacketKind.linkStatus) { $0.append(PathText.bytes(of: path)) }
        try Self.require(answer, PacketKind.attributes)
        return try answer.attributes()
    }

    func status(_ handle: Handle) throws(SFTPFailure) -> RemoteAttributes {
        var answer = try ask(PacketKind.handleStatus) { $0.append(handle) }
        try Self.require(answer, PacketKind.attributes)
        return try answer.attributes()
    }

    func realPath(_ path: String) throws(SFTPFailure) -> String {
        var answer = try ask(PacketKind.realPath) { $0.append(PathText.bytes(of: path)) }
        try Self.require(answer, PacketKind.name)
        guard try answer.number() == 1 else { throw .malformed("several paths for one") }
        return PathText.text(of: try answer.string())
    }

    /// The names in a folder, but `.` and `..`.
    func names(_ path: String) throws(SFTPFailure) -> [String] {
        let handle = try handle(ask(PacketKind.openFolder) { $0.append(PathText.bytes(of: path)) })
        defer { try? close(handle) }
        var names: [String] = []
        while true {
            var answer = try ask(PacketKind.readFolder) { $0.append(handle) }
            do throws(SFTPFailure) {
                try Self.require(answer, PacketKind.name)
            } catch {
                if case .status(SFTPFailure.endOfFile, _) = error { return names }
                throw error
            }
            let count = try answer.number()
            guard count > 0 else { throw .malformed("a list without names") }
            for _ in 0..<count {
                let name = try answer.string()
                _ = try answer.string()
                _ = try answer.attributes()
                // A name that leads elsewhere is none.
                guard !name.contains(UInt8(ascii: "/")), !name.contains(0), !name.isEmpty else {
                    continue
                }
                let text = PathText.text(of: name)
                if text != ".", text != ".." { names.append(text) }
            }
        }
    }

    func makeFolder(_ path: String) throws(SFTPFailure) {
        try order(PacketKind.makeFolder) { packet in
            packet.append(PathText.bytes(of: path))
            packet.append(UInt32(4))
            packet.append(UInt32(0o700))
        }
    }

    func remove(_ path: String) throws(SFTPFailure) {
        try order(PacketKind.remove) { $0.append(PathText.bytes(of: path)) }
    }

    func removeFolder(_ path: String) throws(SFTPFailure) {
        try order(PacketKind.removeFolder) { $0.append(PathText.bytes(of: path)) }
    }

    /// Gives a file another name; what has that name is replaced in one step only if ``renamesOver``.
    func rename(_ path: String, to newPath: String) throws(SFTPFailure) {
        try order(renamesOver ? PacketKind.extended : PacketKind.rename) { packet in
            if renamesOver { packet.append("posix-rename@openssh.com") }
            packet.append(PathText.bytes(of: path))
            packet.append(PathText.bytes(of: newPath))
        }
    }

    func synchronize(_ handle: Handle) throws(SFTPFailure) {
        try order(PacketKind.extended) { packet in
            packet.append("fsync@openssh.com")
            packet.append(handle)
        }
    }

    /// Bytes that may still be written where a path lies; nil if the server does not say.
    func availableByteCount(_ path: String) throws(SFTPFailure) -> Int64? {
        guard reportsSpace else { return nil }
        var answer = try ask(PacketKind.extended) { packet in
            packet.append("statvfs@openssh.com")
            packet.append(PathText.bytes(of: path))
        }
        // Some offer it, and cannot do it.
        guard answer.kind == PacketKind.extendedReply else { return nil }
        let numbers = try (0..<5).map { _ throws(SFTPFailure) in try answer.longNumber() }
        let (bytes, isMore) = numbers[4].multipliedReportingOverflow(by: numbers[1])
        return isMore ? .max : Int64(clamping: bytes)
    }
}
