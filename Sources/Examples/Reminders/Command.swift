import Foundation

/// What the program was asked to do.
enum Command {
    case lists
    case add(NewReminder)
    case list(String?, withDone: Bool)
    case search(String)
    case tag(Reminder.ID, [String])
    case complete(Reminder.ID)
    case statistics
    case watch(String?)
    case backUp(String)
    case rotateKey(backups: String)
    case restore(from: String, String, to: String)

    static let help = """
        usage: Reminders DATABASE --keys FOLDER COMMAND

        Keeps reminders in an encrypted file, which the first command creates with its key. The folder
        keeps the key, and all earlier ones.

          lists                         print the lists
          add LIST TITLE [options]      add a reminder, and the list where there is none
              --notes TEXT              what else there is to know
              --priority low|medium|high
              --due YYYY-MM-DD
              --every-days N            move to the next date when it is completed
              --every-months N
              --link URL                may be repeated
          list [LIST] [--all]           print open reminders; with --all those that are done, too
          search WORDS                  find reminders by words, or by how they begin
          tag ID TAG…                   give a reminder tags
          complete ID                   complete a reminder
          statistics                    count reminders by list and tag
          watch [LIST]                  print open reminders again whenever they change
          back-up REPO                  store what changed in a repository, which the first one creates
          rotate-key REPO               give the file a new key, which its backups know from then on
          restore REPO NUMBER OUT       write the file as it was, under the current key
        """

    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: [String]) throws {
        var words = words[...]
        switch words.popFirst() {
        case "lists": self = .lists
        case "statistics": self = .statistics
        case "add": self = .add(try Self.newReminder(&words))
        case "list":
            let withDone = words.contains("--all")
            words.removeAll { $0 == "--all" }
            self = .list(words.popFirst(), withDone: withDone)
        case "search":
            self = .search(try Self.operand("WORDS", &words))
        case "tag":
            let id = try Self.id(&words)
            let tags = [try Self.operand("TAG", &words)] + words
            words = []
            self = .tag(id, tags)
        case "complete": self = .complete(try Self.id(&words))
        case "watch": self = .watch(words.popFirst())
        case "back-up": self = .backUp(try Self.operand("REPO", &words))
        case "rotate-key": self = .rotateKey(backups: try Self.operand("REPO", &words))
        case "restore":
            self = .restore(
                from: try Self.operand("REPO", &words), try Self.operand("NUMBER", &words),
                to: try Self.operand("OUT", &words))
        case let word?: throw UsageError(description: "there is no command \(word)")
        case nil: throw UsageError(description: "a command is needed")
        }
        if let word = words.first { throw UsageError(description: "what is \(word)?") }
    }

    private static func operand(
        _ name: String, _ words: inout ArraySlice<String>
    ) throws -> String {
        guard let word = words.popFirst(), !word.isEmpty else {
            throw UsageError(description: "\(name) is needed")
        }
        return word
    }

    private static func id(_ words: inout ArraySlice<String>) throws -> Reminder.ID {
        let word = try operand("ID", &words)
        guard let id = Int(word) else { throw UsageError(description: "\(word) is no number") }
        return id
    }

    private static func count(_ words: inout ArraySlice<String>) throws -> Int {
        let count = try id(&words)
        guard count > 0 else { throw UsageError(description: "\(count) is not above 0") }
        return count
    }

    private static func newReminder(_ words: inout ArraySlice<String>) throws -> NewReminder {
        var new = NewReminder(
            list: try operand("LIST", &words), title: try operand("TITLE", &words))
        while let option = words.popFirst() {
            switch option {
            case "--notes": new.notes = try operand(option, &words)
            case "--priority": new.priority = try priority(&words)
            case "--due": new.due = try day(&words)
            case "--every-days": new.rhythm = .everyDays(try count(&words))
            case "--every-months": new.rhythm = .everyMonths(try count(&words))
            case "--link": new.links.append(try operand(option, &words))
            default: throw UsageError(description: "what is \(option)?")
            }
        }
        guard new.rhythm == nil || new.due != nil else {
            throw UsageError(description: "what comes back needs a --due")
        }
        return new
    }

    private static func priority(_ words: inout ArraySlice<String>) throws -> Priority {
        let word = try operand("--priority", &words)
        guard let priority = Priority.allCases.first(where: { "\($0)" == word }) else {
            throw UsageError(description: "\(word) is no priority")
        }
        return priority
    }

    private static func day(_ words: inout ArraySlice<String>) throws -> Date {
        let word = try operand("--due", &words)
        guard let day = try? Date(word + "T00:00:00Z", strategy: .iso8601) else {
            throw UsageError(description: "\(word) is no day")
        }
        return day
    }
}
