import Foundation
import Strongroom
import StrongroomSync

/// A list that several devices share over a folder: a tour of StrongroomSync.
@main
struct SharedList {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words.first == "--help" { return print(Options.help) }
            let options = try Options(words)
            let list = try await SharedItems(options)
            try await run(list)
            await list.engine.stop()
            try list.database.close()
        } catch let error as Options.UsageError {
            fail("\(error)\n\n\(Options.help)", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    /// Shows the list whenever it changes, and does what is typed until the end of the input.
    private static func run(_ list: SharedItems) async throws {
        let screen = Screen()
        let showing = Task {
            for try await items in list.changes { await screen.show(items) }
        }
        defer { showing.cancel() }
        await list.engine.start()
        for await line in typedLines() {
            let command = TypedCommand(line)
            if case .quit = command { break }
            do {
                switch command {
                case .add(let title): try await list.add(title)
                case .toggle(let number): try await list.toggle(screen.item(number))
                case .remove(let number): try await list.remove(screen.item(number))
                case .invite:
                    let (ticket, digits) = try await list.engine.inviteDevice()
                    write("\(ticket)\nThe other device has to show \(digits).\n")
                case .unknown: write("\(TypedCommand.help)\n")
                case .quit: break
                }
            } catch let error as Screen.NoSuchItem {
                write("\(error)\n")
            }
            // What cannot be sent now stays, and is sent later.
            _ = try? await list.engine.synchronize()
        }
    }

    /// Lines as they are typed. Reading blocks, so a thread of its own does it.
    private static func typedLines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("SharedList: \(message)\n".utf8))
        exit(status)
    }
}

/// Writes at once: nothing waits in a buffer for more.
func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
