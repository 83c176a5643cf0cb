/// Where a key comes from. Never the command line itself.
package enum KeySource: Sendable, Equatable {
    case file(String)
    case variable(String)
    case descriptor(Int32)
    case command(String)
    case terminal
}
