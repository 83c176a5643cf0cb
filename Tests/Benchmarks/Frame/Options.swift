/// What the program was asked to do.
struct Options {
    /// The half of each workload that is to run alone, under a profiler.
    enum Side: String {
        case library
        case c
    }

    struct UsageError: Error, CustomStringConvertible {
        var description: String
    }

    static let help = """
        usage: swift run -c release Benchmarks [options]

        Runs each workload twice in one process, on the same connection to one encrypted database:
        by the library, and written by hand on the C API as a careful programmer would (statements
        prepared once, text copied into the same Swift types). Prints the time of one operation,
        how many times the C API's time that is, and the aim.

        Both sides build the same values, and what they built is compared. They run in turns, after
        a warm-up; the median counts. The database fits into the page cache and does not wait for
        the disk (synchronous = OFF), so that the work is what is compared, not the cipher or the
        disk. Freeing what was fetched is measured, too.

          --filter TEXT       only workloads whose name contains TEXT; may be repeated
          --named NAME        only the workload of that name; may be repeated
          --runs N            measured runs of each side (9)
          --rows N            rows in the table that is fetched from (20000)
          --cpu-time          count processor time, which a busy machine disturbs less
          --only library|c    run one side alone, for a profiler
          --json              print JSON
          --memory            print what records and waiting readers take, and run no workload
          --instructions      count instructions instead, for Scripts/speed
          --list              print the names of the workloads
          --help              print this
        """

    var filters: [String] = []
    var names: Set<String> = []
    var runs = 9
    var rows = 20_000
    var timer = Timer.wallTime
    var only: Side?
    var json = false
    var countsInstructions = false
    var measuresMemory = false
    var lists = false
    var wantsHelp = false

    init(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--filter": filters.append(try Self.value(of: word, &words))
            case "--named": names.insert(try Self.value(of: word, &words))
            case "--runs": runs = try Self.count(of: word, &words)
            case "--rows": rows = try Self.count(of: word, &words)
            case "--only": only = try Self.side(of: word, &words)
            case "--cpu-time": timer = .cpuTime
            case "--json": json = true
            case "--memory": measuresMemory = true
            case "--instructions": countsInstructions = true
            case "--list": lists = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(description: "what is \(word)?")
            }
        }
    }

    func selects(_ workload: Workload) -> Bool {
        if filters.isEmpty && names.isEmpty { return true }
        return names.contains(workload.name)
            || filters.contains { workload.name.contains($0) }
    }

    private static func value(
        of option: String, _ words: inout ArraySlice<String>
    ) throws -> String {
        guard let value = words.popFirst() else {
            throw UsageError(description: "\(option) needs a value")
        }
        return value
    }

    private static func count(of option: String, _ words: inout ArraySlice<String>) throws -> Int {
        guard let count = Int(try value(of: option, &words)), count > 0 else {
            throw UsageError(description: "\(option) needs a number above 0")
        }
        return count
    }

    private static func side(of option: String, _ words: inout ArraySlice<String>) throws -> Side {
        guard let side = Side(rawValue: try value(of: option, &words)) else {
            throw UsageError(description: "\(option) is library or c")
        }
        return side
    }
}
