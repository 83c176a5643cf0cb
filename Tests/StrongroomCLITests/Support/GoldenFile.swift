import StrongroomTestSupport

extension GoldenFile {
    /// A file of what the command-line tool writes.
    init(ofCommandLine name: String) {
        self.init("CommandLine/\(name)")
    }
}
