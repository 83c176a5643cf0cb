extension CommittedPages {
    /// What is read: the frames of the log up to one, or the main file alone.
    struct State {
        var pageCount: UInt32
        /// Whether the database is in WAL mode.
        var isLogged = true
        /// Nil if all is in the main file.
        var log: Log?

        struct Log {
            /// The number of the last frame that counts.
            var frameCount: UInt32
            var salts: [UInt8]
        }

        init(pageCount: UInt32, isLogged: Bool = true) {
            self.pageCount = pageCount
            self.isLogged = isLogged
        }

        /// The state of a commit in the log.
        init(_ index: LogIndex) {
            pageCount = index.pageCount
            log = Log(frameCount: index.frameCount, salts: index.salts)
        }
    }
}
