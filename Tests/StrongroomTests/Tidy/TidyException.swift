/// How often a file may break a rule. The list only shrinks: an entry that allows more than is there
/// fails, and so does one for a file or a rule that is gone.
struct TidyException: Sendable {
    var rule: String
    var path: String
    var count: Int
    var reason: String

    static let all: [TidyException] = []
}
