/// Saves a file of which every page is whole, page by page, whatever key each of them has.
struct PageSalvage {
    /// The pages are what was written, but they are no sound database together.
    struct Unsound: Error {}

    private let diagnosed: DiagnosedFile
    private let destination: DatabaseFile
    private let operation: LongOperation
    private let newKey: PageKey

    private static let writtenPageCount: UInt32 = 64

    /// Nil where pages are lost, or where the new file has pages of another form.
    init?(_ diagnosed: DiagnosedFile, destination: DatabaseFile, _ operation: LongOperation) throws
    {
        let settings = destination.prepared().settings
        guard diagnosed.isWhole, let key = destination.key, settings.hasSaltInFile,
            settings.pageSize == diagnosed.pages.pageSize,
            let page = try diagnosed.decryptedPages().page(1),
            let header = page.withUnsafeBytes({ DatabaseHeader($0) }),
            header.pageSize == settings.pageSize,
            header.reserveByteCount >= settings.reserveByteCount
        else { return nil }
        self.diagnosed = diagnosed
        self.destination = destination
        self.operation = operation
        newKey = try PageKey(
            key, fileSalt: CipherSalt.random(), settings: settings)
    }

    func run(_ temporary: FileReplacement.Temporary) throws -> SalvageReport {
        let pageSize = diagnosed.pages.pageSize
        let total = Int64(diagnosed.pageCount) * Int64(pageSize)
        try destination.requireRoom(for: total, beside: temporary.path)
        try operation.begin(.copying, totalByteCount: total)
        let blank = try write(to: temporary.descriptor)
        try verify(temporary, blank)
        var report = SalvageReport(method: .pages)
        report.pageCount = Int(diagnosed.pageCount)
        report.pageSize = pageSize
        return report
    }

    /// - Returns: The pages that nobody has written, in the old file and the new one.
    private func write(to descriptor: FileSystem.Descriptor) throws -> Set<UInt32> {
        let database = try diagnosed.decryptedPages()
        let pageSize = diagnosed.pages.pageSize
        var codec = try PageCodec(newKey)
        var blank: Set<UInt32> = []
        var buffer: [UInt8] = []
        for number in 1...diagnosed.pageCount {
            switch try database.content(of: number) {
            case .clear(var page, _):
                try page.withUnsafeMutableBytes { try codec.encrypt($0, number: number) }
                buffer += page
            case .lost where number != newKey.settings.lockBytePage: throw Unsound()
            case .blank, .lost:
                blank.insert(number)
                buffer += [UInt8](repeating: 0, count: pageSize)
            }
            guard number % Self.writtenPageCount == 0 || number == diagnosed.pageCount else {
                continue
            }
            let end = Int64(number) * Int64(pageSize)
            try buffer.withUnsafeBytes { bytes in
                try destination.fileSystem.writeAll(
                    bytes, to: descriptor, at: end - Int64(bytes.count))
            }
            buffer.removeAll(keepingCapacity: true)
            try operation.advance(to: end)
        }
        return blank
    }

    private func verify(
        _ temporary: FileReplacement.Temporary, _ blank: Set<UInt32>
    ) throws {
        let copy = try destination.filled(in: temporary).makeConnection(.verifying)
        defer { try? copy.close() }
        let byteCount = try destination.fileSystem
            .descriptorStatus(temporary.descriptor).byteCount
        try operation.begin(.verifying, totalByteCount: byteCount)
        let messages = try CipherIntegrity(
            of: copy, destination, byteCount: byteCount, operation
        ).messages
        let bad = messages.filter { message in
            guard let page = CipherIntegrity.page(in: message) else { return true }
            return !blank.contains(UInt32(page))
        }
        guard bad.isEmpty else {
            throw destination.unverified("\(bad.count) pages are not authentic")
        }
        let check = try? StructureCheck(of: copy, quick: false, isOwn: true, operation)
        try operation.check()
        // Rows that break a constraint are kept as they are.
        guard check?.damage.isEmpty == true else { throw Unsound() }
    }
}
