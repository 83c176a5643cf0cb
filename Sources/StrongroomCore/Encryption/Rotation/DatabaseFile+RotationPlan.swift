internal import StrongroomEssentials

/// What a rotation would do.
public struct RotationPlan: Sendable, Equatable {
    /// How many pages it would re-encrypt.
    public var pageCount: Int
    /// The page size in bytes.
    public var pageSize: Int
    /// How long it would take, estimated from a part of the file; the disk may be slower.
    public var estimatedDuration: Duration

    /// The size of the file, which is also the free space that the rotation needs.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }
}

extension DatabaseFile {
    /// How much is encrypted, to nowhere, to learn how long all of it takes.
    private static let triedByteCount: Int64 = 16 << 20

    /// Reports what ``rotateKey(to:changing:threads:progress:)`` would do, and changes nothing.
    ///
    /// It refuses what the rotation would refuse: a wrong key, a file in use, too little free
    /// space. It verifies only some of the pages.
    ///
    /// - Throws: ``DatabaseFileError``, as the rotation would.
    public func planRotation(
        to newKey: CipherKey, changing change: CipherChange? = nil, threads: Int? = nil
    ) throws -> RotationPlan {
        guard change == nil || !configuration.setups.isEmpty else {
            return try withFoundSettings().plan(to: newKey, changing: change, threads)
        }
        return try plan(to: newKey, changing: change, threads)
    }

    private func plan(
        to newKey: CipherKey, changing change: CipherChange?, _ threads: Int?
    ) throws -> RotationPlan {
        do {
            let status = try requireDatabase()
            let identity = status.identity
            try status.requireSingleName(path)
            let key = try requireRotation(to: newKey, isChange: change != nil)
            try requireNobodyElse(identity, ownDescriptorCount: 0)
            try requireIntactLog()
            let source = try connect(.reading)
            defer { try? source.close() }
            let threads = threads ?? ThreadCount.usual
            let resolved = try fileSystem.resolve(path)
            let byteCount = try fileSystem.status(path).byteCount
            try requireRoom(for: byteCount, beside: resolved)
            let pages = try PageRotation(
                of: source, self, key: key, to: newKey, changing: change, threads: threads,
                LongOperation())
            let pageSize = Int(try source.number("PRAGMA page_size"))
            let rate = try pages?.secondsPerByte(trying: Self.triedByteCount) ?? 1e-8
            return RotationPlan(
                pageCount: Int(byteCount) / max(1, pageSize), pageSize: pageSize,
                estimatedDuration: .seconds(Double(byteCount) * rate))
        } catch {
            throw explain(error)
        }
    }
}

extension PageRotation {
    /// SQLCipher's check of the copy, as measured against the encryption on one thread.
    private static let verification = 0.6

    fileprivate func secondsPerByte(trying limit: Int64) throws -> Double {
        let count = min(limit, pages.byteCount) / Int64(pages.pageSize) * Int64(pages.pageSize)
        guard count > 0 else { return 0 }
        let part = PageSource(byteCount: count, pageSize: pages.pageSize, read: pages.read)
        let duration = try ContinuousClock().measure {
            let unused = UnusedPages(of: pages, key: oldPageKey)
            try part.reencrypt(from: oldPageKey, to: newPageKey, unused: unused) { _, _ in }
        }
        let seconds =
            Double(duration.components.seconds)
            + Double(duration.components.attoseconds) / 1e18
        // The check runs beside the encryption, on a thread of its own, if there are processors.
        let processors = Double(ThreadCount.ofProcessors)
        let parts = max(
            1 / Double(max(1, threads)), Self.verification, (1 + Self.verification) / processors)
        return seconds / Double(count) * parts
    }
}
