import LibC
import StrongroomCore
import StrongroomSync

/// What the commands of `sync` have in common: a database, its key, and where its hub is.
struct SyncOpening {
    static let hub = Option.value(
        "hub", "DIR", completion: .file,
        help: "the folder of the hub, if it is at another place here than when it was set up")
    static let name = Option.value(
        "name", "NAME", help: "the name of this device in the space (default: the host's name)")
    static let groups = [KeyOptions.current.group, DatabaseSettings.group]

    let path: String
    private let keySource: KeySource
    private let settings: DatabaseSettings
    private let hubPath: String?

    /// - Parameter takesHub: Whether the command has the option `--hub DIR`.
    init(
        _ arguments: ParsedArguments, path: String, takesHub: Bool = true
    ) throws(Failure) {
        self.path = path
        keySource = try KeyOptions.current.source(in: arguments)
        settings = try DatabaseSettings(arguments)
        hubPath = takesHub ? arguments.value(Self.hub) : nil
    }

    // MARK: - The database

    /// - Parameter isNew: Whether the file is created if it is missing.
    func opening<T>(
        _ context: CommandContext, isNew: Bool = false, isReading: Bool = false,
        _ body: (DatabaseQueue) throws -> T
    ) throws -> T {
        let exists = FolderEntry(path) != nil
        if exists || !isNew { try DatabasePrecheck.encrypted(path) }
        let key = try KeyReader(context: context).key(
            from: keySource, for: exists ? .opening(path: path) : .making(path: path))
        func use(_ file: DatabaseFile) throws -> T {
            var configuration = file.configuration
            configuration.readonly = isReading
            configuration.busyMode = .timeout(CommandTimeouts.busySeconds)
            configuration.prepareDatabase(Self.enlargeCache)
            let queue = try file.open(configuration)
            let result = try body(queue)
            try queue.close()
            return result
        }
        guard exists else {
            var configuration = Configuration()
            configuration.busyMode = .timeout(CommandTimeouts.busySeconds)
            configuration.prepareDatabase { try $0.useKey(key) }
            configuration.prepareDatabase(Self.enlargeCache)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let result = try body(queue)
            try queue.close()
            return result
        }
        return try settings.opening(path, key, context) { file in
            try file.undoInterruptedTransaction()
            return try use(file)
        }
    }

    /// Keys of many devices come in no order: pages that are read again and again are decrypted once.
    @Sendable private static func enlargeCache(_ db: Database) throws {
        try db.execute(sql: "PRAGMA cache_size = -24000")
    }

    // MARK: - The hub

    /// An absolute path, which tickets can name.
    static func absolute(_ path: String) throws(Failure) -> String {
        guard let resolved = realpath(path, nil) else {
            throw Failure(
                .notFound, "there is no folder \(path)", hint: "create it, or check the path")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    func transport(_ url: String?) throws(Failure) -> FolderHub {
        if let hubPath { return FolderHub(path: try Self.absolute(hubPath)) }
        guard let url, let path = HubLocation.folderPath(url) else {
            throw .usage("the database does not say where its hub is", hint: "add --hub DIR")
        }
        return FolderHub(path: path)
    }

    /// Opens the engine of a database that belongs to a space, and does something with it.
    func withEngine<T: Sendable>(
        _ context: CommandContext, _ body: @escaping @Sendable (SyncEngine) async throws -> T
    ) throws -> T {
        try opening(context) { queue in
            guard let report = try queue.read({ try SyncReport($0) }) else { throw noSpace }
            let hub = try transport(report.hub)
            return try Awaiting.result(context.cancellation) {
                try await Self.use(SyncEngine.open(queue, hub, Self.options), body)
            }
        }
    }

    /// Does something with an engine, and closes it.
    static func use<T: Sendable>(
        _ engine: SyncEngine, _ body: (SyncEngine) async throws -> T
    ) async throws -> T {
        do {
            let value = try await body(engine)
            await engine.close()
            return value
        } catch {
            await engine.close()
            throw error
        }
    }

    var noSpace: Failure {
        Failure(
            .failed, "\(path) belongs to no space",
            hint: "create one: strongroom sync init \(ShellWord.text(path)) --hub DIR --all; "
                + "or join one: strongroom sync join TICKET \(ShellWord.text(path))")
    }

    static var options: SyncOptions {
        var options = SyncOptions()
        options.waitsForLock = false
        options.program = "strongroom sync"
        return options
    }

    static func deviceName(_ arguments: ParsedArguments) -> String {
        if let name = arguments.value(name) { return name }
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
