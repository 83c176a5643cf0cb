import Foundation
import StrongroomBackup
import StrongroomTables

/// Keeps reminders in an encrypted file: a tour of StrongroomTables.
@main
struct Reminders {
    static func main() async {
        do {
            var words = Array(CommandLine.arguments.dropFirst())
            if words.first == "--help" { return print(Command.help) }
            guard words.count > 2, words[1] == "--keys" else {
                throw Command.UsageError(description: "a DATABASE and its --keys are needed")
            }
            let (path, keys) = (words[0], KeyStore(folder: words[2]))
            words.removeFirst(3)
            let command = try Command(words)
            // The file may be lost, and none is to be created in its place.
            if case .restore(let repository, let name, let out) = command {
                try ReminderBackups(path: repository, keys: keys, creating: false)
                    .restore(name, to: out)
                return print("restored \(name)")
            }
            let store = try ReminderStore(path: path, keys: keys)
            try await run(command, in: store)
            try store.database.close()
        } catch let error as Command.UsageError {
            fail("\(error)\n\n\(Command.help)", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ command: Command, in store: ReminderStore) async throws {
        switch command {
        case .lists:
            for line in try store.lists() { print("\(line.list): \(line.open) open") }
        case .add(let new):
            print("added \(try store.add(new).id)")
        case .list(let list, let withDone):
            for line in try store.reminders(in: list, withDone: withDone) { print(line.text) }
        case .search(let words):
            for line in try store.search(words) { print(line.text) }
        case .tag(let id, let tags):
            print("\(id): \(try store.tag(id, with: tags).joined(separator: ", "))")
        case .complete(let id):
            let reminder = try store.complete(id)
            print(reminder.completedAt == nil ? "due \(reminder.due.text)" : "completed \(id)")
        case .statistics:
            for line in try store.lists() { print(line.text) }
            for line in try store.tags() { print("\(line.place). \(line.tag): \(line.reminders)") }
        case .backUp(let path): try backUp(store, to: path)
        case .rotateKey(let path): try rotateKey(of: store, backups: path)
        case .restore: break
        case .watch(let list):
            try await store.watch(list) { lines in
                let text = lines.map { $0.text + "\n" }.joined() + "\(lines.count) open\n\n"
                // Nothing waits in a buffer for more.
                FileHandle.standardOutput.write(Data(text.utf8))
            }
        }
    }

    private static func backUp(_ store: ReminderStore, to path: String) throws {
        let backup = try ReminderBackups(path: path, keys: store.keys, creating: true)
            .backUp(store)
        print("backup \(backup.number)")
    }

    private static func rotateKey(of store: ReminderStore, backups path: String) throws {
        let backups = try ReminderBackups(path: path, keys: store.keys, creating: false)
        if let error = try backups.rotateKey(of: store) {
            print("the next backup introduces the new key: \(error)")
        }
        print("key \(try store.keys.keys().last?.id ?? "")")
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("Reminders: \(message)\n".utf8))
        exit(status)
    }
}

extension ReminderLine {
    fileprivate var text: String {
        let mark = reminder.completedAt == nil ? " " : "x"
        var parts = ["[\(mark)] \(reminder.id) \(list): \(reminder.title)"]
        if let priority = reminder.priority { parts.append("!\(priority)") }
        if reminder.due != nil { parts.append("due \(reminder.due.text)") }
        parts += tags.map(\.id.tag).sorted().map { "#" + $0 } + reminder.links
        return parts.joined(separator: " ")
    }
}

extension FoundLine {
    fileprivate var text: String {
        "\(id) \(list): \(title)" + (notes.isEmpty ? "" : " (\(notes))")
    }
}

extension ListLine {
    fileprivate var text: String {
        "\(list): \(open) open, \(done) done, \(late) late, next \(next.text)"
    }
}

extension Date? {
    /// The day in UTC.
    fileprivate var text: String {
        self?.formatted(.iso8601.year().month().day()) ?? "never"
    }
}
