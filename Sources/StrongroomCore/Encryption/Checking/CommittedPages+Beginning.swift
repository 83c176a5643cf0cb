extension CommittedPages {
    /// A header of so many bytes has numbers that never change, and the size of the database.
    private static let checkedHeaderByteCount = 32

    /// The damage at the beginning of page 1, which no HMAC shows; nil if there is none.
    ///
    /// - Parameter examining: Whether SQLite also examines the structure, if a plaintext header has
    ///   numbers that only it can judge.
    package func damageOfBeginning(
        examining: Bool, _ operation: LongOperation
    ) throws -> String? {
        var page = [UInt8](repeating: 0, count: pageSize)
        try page.withUnsafeMutableBytes { try pages.readPage(1, to: $0) }
        if let problem = PageBeginning.problem(of: page, settings, salt: key.salt) {
            return problem
        }
        guard examining, try mayMislead() else { return nil }
        return try StructureCheck(of: database, quick: true, operation).damage.first
    }

    /// Whether a plaintext header has more than is compared, or has fewer pages than the file.
    private func mayMislead() throws -> Bool {
        guard !settings.hasSaltInFile else { return false }
        if settings.plaintextHeaderByteCount > Self.checkedHeaderByteCount { return true }
        return try database.rawPages(of: pageSize).pageCount > pageCount
    }
}
