import StrongroomCore
import StrongroomEssentials

/// What the commands about schemas share: they read one state of a file, and run no module of it.
enum SchemaOpening {
    static func reading<Result>(
        _ path: String, _ key: CipherKey, _ settings: DatabaseSettings, _ context: CommandContext,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        let queue = try settings.opening(path, key, context) { file in
            try file.undoInterruptedTransaction()
            var configuration = file.configuration
            configuration.readonly = true
            configuration.distrustsFile = true
            configuration.runsModules = false
            configuration.busyMode = .timeout(CommandTimeouts.busySeconds)
            return try file.open(configuration)
        }
        let result = try context.cancellation.onCancel({ queue.interrupt() }) {
            try queue.read(body)
        }
        try queue.close()
        return result
    }

    /// SQL for people: a line of it is never an order to the terminal.
    static func visible(_ statement: String) -> String {
        statement.split(separator: "\n", omittingEmptySubsequences: false)
            .map { VisibleText.text(of: String($0)) }.joined(separator: "\n")
    }
}
