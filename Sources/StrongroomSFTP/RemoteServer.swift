internal import LibC
package import StrongroomCore
internal import Synchronization

/// A folder on a server, as files that the rest of the library uses like those of this machine.
///
/// 1. There is one for each URL in a process, and one connection, which is made when it is needed.
/// 2. A request whose connection is lost is made again over a new one, up to ``largestTryCount`` times: each is
///    made so that twice is as good as once. A server that could not be reached at all is not tried again.
/// 3. What the server lacks is known after the first request: ``shortcomings()``.
package final class RemoteServer: Sendable {
    private static let servers = Mutex<[String: RemoteServer]>([:])
    private static let largestTryCount = 5
    /// How long a server that could not be reached is left alone.
    private static let pause = Duration.seconds(2)

    struct State {
        var client: Client?
        /// Whether there ever was a connection.
        var wasReached = false
        var failure: (time: ContinuousClock.Instant, loss: SFTPFailure)?
        /// The server's name of the folder.
        var root: String?
        var open: [FileSystem.Descriptor: OpenObject] = [:]
        /// Folders that were made, and not opened yet.
        var made: Set<String> = []
        /// Those that were read last.
        var recent: [FileSystem.Descriptor] = []
    }

    enum OpenObject: Sendable {
        case folder(String)
        case reading(RemoteReading)
        case writing(RemoteWriting)
    }

    package let place: RemotePlace
    package let traffic = Traffic()
    let state = Mutex(State())
    private let connecting = Mutex(())

    private init(_ place: RemotePlace) {
        self.place = place
    }

    /// The server that a URL leads to; nil for the path of a folder.
    ///
    /// - Throws: `SystemError` for a URL that leads nowhere.
    package static func at(_ text: String) throws(SystemError) -> RemoteServer? {
        guard RemotePlace.isURL(text) else { return nil }
        let place = try RemotePlace(text)
        return servers.withLock { servers in
            if let known = servers[place.text] { return known }
            let server = RemoteServer(place)
            servers[place.text] = server
            return server
        }
    }

    /// All traffic of this process with servers.
    package static var traffic: Traffic.Count {
        servers.withLock { servers in
            servers.values.reduce(into: Traffic.Count()) { $0.add($1.traffic.total) }
        }
    }

    /// Has programs that are started from now on not inherit variables that hold secrets.
    package static func withhold(_ variables: Set<String>) {
        ServerProcess.withheldVariables.withLock { $0.formUnion(variables) }
    }

    // MARK: - Connections

    /// How long a server may be silent: 60 seconds, or `STRONGROOM_STORE_TIMEOUT`.
    private static let timeLimit: Duration = {
        let text = getenv("STRONGROOM_STORE_TIMEOUT").map { String(cString: $0) } ?? ""
        return Int(text).flatMap { (1...86_400).contains($0) ? Duration.seconds($0) : nil }
            ?? .seconds(60)
    }()

    private func client() throws(SFTPFailure) -> Client {
        try connecting.withLock { _ throws(SFTPFailure) in
            let (known, failure) = state.withLock { ($0.client, $0.failure) }
            if let known, !known.connection.isLost { return known }
            // Between two requests, nobody has heard of it.
            if let known, case .malformed(let what) = known.connection.loss {
                throw .malformed(what)
            }
            // What its program still writes would come after what the next one does.
            known?.connection.awaitEnd()
            if let failure, ContinuousClock.now - failure.time < Self.pause { throw failure.loss }
            do throws(SFTPFailure) {
                let connection = try Connection(
                    place.words, timeLimit: Self.timeLimit, traffic: traffic)
                let client = try Client(connection)
                state.withLock { state in
                    state.client = client
                    state.wasReached = true
                    state.failure = nil
                }
                return client
            } catch {
                state.withLock { state in
                    state.client = nil
                    if !state.wasReached { state.failure = (.now, error) }
                }
                throw error
            }
        }
    }

    /// Ends the connection; the next request makes another.
    package func disconnect() {
        let client = state.withLock { state in
            defer { state.client = nil }
            return state.client
        }
        client?.connection.close()
    }

    /// Makes requests, again if the connection is lost meanwhile.
    ///
    /// - Parameter isRepeated: Whether they may have been made before.
    func attempt<Result>(
        _ call: String, _ path: String,
        _ body: (_ client: Client, _ isRepeated: Bool) throws(SFTPFailure) -> Result
    ) throws(SystemError) -> Result {
        var tries = 1
        while true {
            do throws(SFTPFailure) {
                return try body(client(), tries > 1)
            } catch {
                guard case .lost = error, tries < Self.largestTryCount,
                    LongOperation.current?.isStopped != true,
                    state.withLock({ $0.wasReached })
                else { throw systemError(error, call, path) }
                // 0.1, 0.3, 0.9 and 2.7 seconds, and up to half of it more.
                let pause = 100_000 * [1, 3, 9, 27][tries - 1]
                usleep(UInt32(pause + Int.random(in: 0...(pause / 2))))
                tries += 1
            }
        }
    }

    private func systemError(_ failure: SFTPFailure, _ call: String, _ path: String) -> SystemError
    {
        let path = shown(path)
        switch failure {
        case .status(SFTPFailure.noSuchFile, _): return SystemError(call, path, number: ENOENT)
        case .status(SFTPFailure.permissionDenied, _):
            return SystemError(call, path, number: EACCES)
        case .status(SFTPFailure.unsupported, _): return SystemError(call, path, number: EOPNOTSUPP)
        case .status(let code, let words):
            let visible = String(
                words.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
            return SystemError(
                call, path, number: EIO,
                explanation:
                    "the server refuses it: \(visible.isEmpty ? "status \(code)" : visible)")
        case .malformed(let what):
            disconnect()
            return SystemError(
                call, path, number: EPROTO,
                explanation: "what the server sent is not SFTP: \(what)")
        case .lost(let what, let hint):
            return SystemError(
                "connect", place.text, number: ENOTCONN,
                explanation: "no connection to \(place.text): \(what)", hint: hint)
        }
    }

    /// A path on the server as a part of the URL.
    func shown(_ path: String) -> String {
        let base = place.folder
        if path == base || path.isEmpty { return place.text }
        guard base.isEmpty || path.hasPrefix(base + "/") || base == "/" else { return path }
        let rest = base.isEmpty || base == "/" ? path[...] : path.dropFirst(base.count + 1)
        return place.text.appendingName(String(rest.drop { $0 == "/" }))
    }
}

extension Traffic.Count {
    fileprivate mutating func add(_ other: Traffic.Count) {
        puts += other.puts
        gets += other.gets
        lists += other.lists
        deletes += other.deletes
        bytesSent += other.bytesSent
        bytesReceived += other.bytesReceived
    }
}
