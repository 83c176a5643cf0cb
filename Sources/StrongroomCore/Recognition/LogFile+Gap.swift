// SQLite reads a log up to the first frame that does not follow from the one before it. What lies behind
// is one of two things. A frame was damaged, or never reached the disk: the commits behind it are lost.
// Or a crash cut a run of frames off, and SQLite wrote over a part of it since: what is left of the older
// run was lost before, and is no damage.

extension LogFile {
    /// The first frame that does not follow from the one before it, where frames of the same log behind it
    /// end transactions.
    struct Gap: Sendable, Equatable {
        let frame: Int
        let page: UInt32
        /// Where its page begins.
        let offset: Int64
        /// Whether the frame shows without a key that it is not what was written.
        let isChanged: Bool
    }

    /// The log; where it has a gap, as two looks agree. While others write to it, one look may find a
    /// frame that is half there, and what follows it complete.
    static func settled(_ path: String, _ fileSystem: FileSystem) throws -> LogFile? {
        var log = try LogFile(path, fileSystem)
        for _ in 0..<50 {
            guard let gap = log?.gap, let salts = log?.salts else { return log }
            log = try LogFile(path, fileSystem)
            if log?.gap == gap, log?.salts == salts { return log }
        }
        // It has a writer, who knows what counts.
        log?.gap = nil
        return log
    }

    /// The number of the frame that is damaged, so that SQLite ignores commits behind it; nil if there is
    /// none.
    ///
    /// A page that a key vouches for is what was written: its frame is left of an older run. Without a key,
    /// or without HMACs, nothing but a frame that a crash left incomplete would explain the gap, and after
    /// that no frame ends a transaction.
    ///
    /// - Parameter keys: Those that the pages of the log may have.
    func damagedFrame(under keys: [PageKey], _ fileSystem: FileSystem) throws -> Int? {
        guard let gap else { return nil }
        if gap.isChanged { return gap.frame }
        let keys = keys.filter {
            $0.settings.pageSize == pageSize && $0.settings.authentication != .absent
        }
        guard !keys.isEmpty, let descriptor = try fileSystem.openIfPresent(path) else {
            return gap.frame
        }
        defer { fileSystem.close(descriptor) }
        let page = try fileSystem.bytes(pageSize, of: descriptor, at: gap.offset)
        guard page.count == pageSize else { return nil }
        return try keys.contains { try $0.vouches(for: page, number: gap.page) } ? nil : gap.frame
    }

    /// What there is to say of a damaged frame.
    static func problem(ofFrame number: Int, in path: String) -> String {
        "frame \(number) of \(path) is damaged, and SQLite ignores everything after it"
    }
}

extension PageKey {
    /// Whether a page is what was written with the key, its salt included, which no HMAC covers.
    fileprivate func vouches(for page: [UInt8], number: UInt32) throws -> Bool {
        guard number != 1 || !settings.hasSaltInFile || page.starts(with: salt.bytes) else {
            return false
        }
        var codec = try PageCodec(self)
        return try page.withUnsafeBytes { bytes throws(DatabaseError) in
            try codec.verdict(on: bytes, number: number)
        } == .authentic
    }
}

// MARK: - Finding it

extension LogFile {
    /// Looks behind a frame that does not follow from the one before it.
    ///
    /// - Parameter sum: The checksum up to the frame.
    /// - Returns: Nil if no frame behind it ends a transaction.
    func findGap(
        at number: Int, _ frame: [UInt8], at offset: Int64, after sum: Checksum,
        _ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem
    ) throws -> Gap? {
        let next = offset + Int64(frame.count)
        guard try endsTransaction(from: next, step: frame.count, descriptor, fileSystem) else {
            return nil
        }
        let page = frame.number32(at: 0)
        var isChanged =
            Array(frame[8..<16]) != salts || page == 0 || differsInOneWord(frame, after: sum)
        if !isChanged {
            // What follows goes on from the checksum that the frame should have had.
            var right = sum
            _ = isWhole(frame, &right)
            let following = try fileSystem.bytes(frame.count, of: descriptor, at: next)
            isChanged =
                following.count == frame.count && Array(following[8..<16]) == salts
                && isWhole(following, &right)
        }
        return Gap(
            frame: number, page: page, offset: offset + Int64(Self.frameHeaderByteCount),
            isChanged: isChanged)
    }

    /// Whether a frame of this log, from a place on, ends a transaction.
    private func endsTransaction(
        from start: Int64, step: Int, _ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem
    ) throws -> Bool {
        for offset in stride(from: start, through: byteCount - Int64(step), by: step) {
            let header = try fileSystem.bytes(16, of: descriptor, at: offset)
            guard header.count == 16 else { return false }
            if Array(header[8...]) == salts, header.number32(at: 4) > 0 { return true }
        }
        return false
    }

    /// Whether another value of one of its words makes a frame follow from the one before it, which a frame
    /// of another run does with a chance of one in millions.
    ///
    /// The checksum can be reckoned backwards: from both sides of a word follows what it was.
    private func differsInOneWord(_ frame: [UInt8], after start: Checksum) -> Bool {
        let places = [0] + Array(stride(from: Self.frameHeaderByteCount, to: frame.count, by: 8))
        let words = places.map { Checksum.words(of: frame, at: $0, isBigEndian: isBigEndian) }
        var sums = [start]
        for word in words {
            var sum = sums[sums.count - 1]
            sum.add(word)
            sums.append(sum)
        }
        var stored = Checksum(stored: frame)
        // One word of the checksum itself.
        if stored.hasOneWord(of: sums[words.count]) { return true }
        for (index, word) in words.enumerated().reversed() {
            let written = stored.words(since: sums[index])
            if written.first == word.first || written.second == word.second { return true }
            stored.remove(word)
        }
        return false
    }
}

extension LogFile.Checksum {
    typealias Words = (first: UInt32, second: UInt32)

    static func words(of frame: [UInt8], at offset: Int, isBigEndian: Bool) -> Words {
        let (first, second) = (frame.number32(at: offset), frame.number32(at: offset + 4))
        return isBigEndian ? (first, second) : (first.byteSwapped, second.byteSwapped)
    }

    /// The one that stands in a frame.
    fileprivate init(stored frame: [UInt8]) {
        self.init(one: frame.number32(at: 16), two: frame.number32(at: 20))
    }

    fileprivate func hasOneWord(of other: Self) -> Bool {
        (one == other.one) != (two == other.two)
    }

    fileprivate mutating func add(_ words: Words) {
        one &+= words.first &+ two
        two &+= words.second &+ one
    }

    fileprivate mutating func remove(_ words: Words) {
        two = two &- words.second &- one
        one = one &- words.first &- two
    }

    /// What was added to another one to give this.
    fileprivate func words(since other: Self) -> Words {
        (one &- other.one &- other.two, two &- other.two &- one)
    }
}
