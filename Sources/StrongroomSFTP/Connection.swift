internal import Dispatch
internal import LibC
import StrongroomCore
internal import Synchronization

/// Requests to a server and their answers, over one socket.
///
/// 1. Any thread sends; one thread receives, and hands each answer to who waits for it.
/// 2. Answers come in any order. One to a request that nobody has made, or a second one, ends the connection.
/// 3. A connection that is lost stays so: every request that waits, and every later one, fails.
/// 4. No request waits longer than ``timeLimit`` without a byte that goes either way.
/// 5. A connection that nobody uses for ``idleLimit`` is closed.
final class Connection: Sendable {
    /// OpenSSH's own limit.
    static let largestPacket = 256 << 10
    private static let idleLimit = Duration.seconds(60)

    private struct State {
        var waiting: [UInt32: Reply] = [:]
        var next: UInt32 = 1
        var loss: SFTPFailure?
        /// Nobody may use the socket any more.
        var isEnding = false
        var lastByte = ContinuousClock.now
        var errors: [UInt8] = []
    }

    /// An answer that is awaited.
    final class Reply: Sendable {
        fileprivate let result = Mutex<Result<Packet, SFTPFailure>?>(nil)
        fileprivate let isThere = DispatchSemaphore(value: 0)
        fileprivate let connection: Connection

        fileprivate init(_ connection: Connection) {
            self.connection = connection
        }

        /// Waits for the answer; may be called more than once.
        func wait() throws(SFTPFailure) -> Packet {
            while true {
                if let result = result.withLock({ $0 }) { return try result.get() }
                if isThere.wait(timeout: .now() + .milliseconds(250)) == .timedOut {
                    connection.giveUpIfStalled()
                } else {
                    // For others that wait, too.
                    isThere.signal()
                }
            }
        }

        fileprivate func fulfil(_ answer: Result<Packet, SFTPFailure>) {
            result.withLock { if $0 == nil { $0 = answer } }
            isThere.signal()
        }
    }

    let traffic: Traffic
    private let process: ServerProcess
    private let program: String
    private let timeLimit: Duration
    private let state = Mutex(State())
    private let sending = Mutex(())
    private let hasEnded = DispatchSemaphore(value: 0)

    init(
        _ words: [String], timeLimit: Duration, traffic: Traffic
    ) throws(SFTPFailure) {
        program = words[0]
        self.timeLimit = timeLimit
        self.traffic = traffic
        do {
            process = try ServerProcess(words)
        } catch {
            throw .lost(
                "cannot start \(words[0]): \(error.reason)",
                hint: error.isMissing ? "install \(words[0]), or put it into a folder of PATH" : nil
            )
        }
        let thread = SystemThread { [self] in receive() }
        guard let thread else {
            _ = process.end()
            throw .lost("the system gives no more threads", hint: nil)
        }
        thread.detach()
    }

    var isLost: Bool { state.withLock { $0.loss != nil || $0.isEnding } }
    var loss: SFTPFailure? { state.withLock { $0.loss } }

    // MARK: - Sending

    /// Sends a request; its answer comes with the reply.
    func send(_ kind: UInt8, _ fill: (inout PacketWriter) -> Void) throws(SFTPFailure) -> Reply {
        let reply = Reply(self)
        let id = try state.withLock { state throws(SFTPFailure) in
            if let loss = state.loss { throw loss }
            while state.waiting[state.next] != nil { state.next &+= 1 }
            let id = state.next
            state.next &+= 1
            state.waiting[id] = reply
            state.lastByte = .now
            return id
        }
        var packet = PacketWriter(kind, id: id)
        fill(&packet)
        traffic.note(kind)
        write(packet.finished())
        return reply
    }

    /// The first packet, which has no number of its own.
    func begin() throws(SFTPFailure) -> Packet {
        let reply = Reply(self)
        try state.withLock { state throws(SFTPFailure) in
            // The program may have ended already, and nobody would fulfil the reply.
            if let loss = state.loss { throw loss }
            state.waiting[0] = reply
        }
        write(PacketWriter(PacketKind.initialize, version: 3).finished())
        return try reply.wait()
    }

    private func write(_ bytes: [UInt8]) {
        sending.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty, !isLost {
                let count = rest.withUnsafeBytes { sendBytes($0) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                    traffic.noteSent(count)
                    state.withLock { $0.lastByte = .now }
                } else if errno == EAGAIN || errno == EINTR {
                    var waiting = pollfd(fd: process.socket, events: Int16(POLLOUT), revents: 0)
                    if poll(&waiting, 1, 250) == 0 { giveUpIfStalled() }
                } else {
                    // The thread that receives finds out why.
                    return
                }
            }
        }
    }

    private func sendBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        return LibC.send(process.socket, bytes.baseAddress, bytes.count, 0)
        #else
        return LibC.send(process.socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// Ends a connection over which nothing has come for too long, or whose work is to stop.
    private func giveUpIfStalled() {
        let silence = state.withLock { ContinuousClock.now - $0.lastByte }
        if silence > timeLimit {
            lose(
                .lost(
                    "\(program) has not answered for \(silence.components.seconds) s",
                    hint: "check the connection, or set STRONGROOM_STORE_TIMEOUT to more seconds"))
        } else if silence > .seconds(1), LongOperation.current?.isStopped == true {
            lose(.lost("the work was stopped", hint: nil))
        }
    }

    /// Fails all that waits, and what comes later.
    private func lose(_ loss: SFTPFailure) {
        let (waiting, first) = state.withLock { state in
            let first = state.loss ?? loss
            state.loss = first
            // Once it is closed, another socket of this process may have its number.
            if !state.isEnding { shutdown(process.socket, Int32(SHUT_RDWR)) }
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), first)
        }
        for reply in waiting { reply.fulfil(.failure(first)) }
    }

    func close() {
        lose(.lost("the connection was closed", hint: nil))
    }
}

// MARK: - Receiving

extension Connection {
    private func receive() {
        var frames = FrameReader()
        var buffer = [UInt8](repeating: 0, count: 128 << 10)
        var errors = process.errors
        while !isLost {
            var ends = [
                pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0),
                // A negative one is not looked at.
                pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 2, 1000) != 0 else {
                closeIfIdle()
                continue
            }
            if ends[1].revents != 0, !readErrors(&buffer) { errors = -1 }
            guard ends[0].revents != 0 else { continue }
            let count = read(process.socket, &buffer, buffer.count)
            if count > 0 {
                traffic.noteReceived(count)
                state.withLock { $0.lastByte = .now }
                do throws(SFTPFailure) {
                    try frames.take(buffer[..<count], deliver)
                } catch {
                    lose(error)
                }
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                break
            }
        }
        finish(&buffer)
    }

    /// The server has closed its end, or this process its own.
    private func finish(_ buffer: inout [UInt8]) {
        shutdown(process.socket, Int32(SHUT_RDWR))
        state.withLock { $0.isEnding = true }
        // Who is sending has seen it when the lock is free.
        sending.withLock { _ in }
        // What it had to say comes before its end.
        var end = pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)
        while poll(&end, 1, 300) > 0, readErrors(&buffer) {}
        let words = state.withLock { $0.errors }
        let ending = process.end()
        lose(ServerMessage(words, program: program, ending: ending).failure)
        hasEnded.signal()
    }

    /// Waits for the end of the program behind a connection that is lost.
    func awaitEnd() {
        hasEnded.wait()
        hasEnded.signal()
    }

    /// - Returns: Whether there may be more.
    private func readErrors(_ buffer: inout [UInt8]) -> Bool {
        let count = read(process.errors, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
        state.withLock { state in
            state.errors.append(contentsOf: buffer[..<count])
            state.errors.removeFirst(max(0, state.errors.count - ServerMessage.largestByteCount))
        }
        return true
    }

    private func closeIfIdle() {
        let isIdle = state.withLock { state in
            state.waiting.isEmpty && ContinuousClock.now - state.lastByte > Self.idleLimit
        }
        if isIdle { close() }
    }

    private func deliver(_ frame: ArraySlice<UInt8>) throws(SFTPFailure) {
        guard let kind = frame.first else { throw .malformed("an empty packet") }
        // A copy: the slice would keep all that came with it.
        var packet = Packet(kind: kind, Array(frame.dropFirst())[...])
        let isVersion = kind == PacketKind.version
        let id = isVersion ? 0 : try packet.number()
        guard isVersion || id != 0,
            let reply = state.withLock({ $0.waiting.removeValue(forKey: id) })
        else { throw .malformed("an answer to no request") }
        reply.fulfil(.success(packet))
    }
}

/// Cuts what comes into packets.
struct FrameReader {
    private var bytes: [UInt8] = []

    /// - Throws: ``SFTPFailure`` for a length that no packet may have.
    mutating func take(
        _ more: ArraySlice<UInt8>, _ deliver: (ArraySlice<UInt8>) throws(SFTPFailure) -> Void
    ) throws(SFTPFailure) {
        bytes += more
        var start = 0
        while bytes.count - start >= 4 {
            let length = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard (1...Connection.largestPacket).contains(length) else {
                throw .malformed("a packet of \(length) bytes; perhaps a login script prints text")
            }
            guard bytes.count - start - 4 >= length else { break }
            try deliver(bytes[(start + 4)..<(start + 4 + length)])
            start += 4 + length
        }
        bytes.removeFirst(start)
    }
}
