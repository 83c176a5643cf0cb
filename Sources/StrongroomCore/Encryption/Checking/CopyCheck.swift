/// SQLCipher's check of the pages of a copy, or of the first ones, on a separate thread, while the copy is
/// written: it waits for pages that are not there yet.
struct CopyCheck {
    /// What has been written is let through here. Once it is closed there is no use in writing on: the check
    /// has failed, and ``wait(_:)`` tells why.
    let gate: ReadGate
    private let work: BackgroundThread<Outcome>

    // Safety: the thread that made the connection has ended when another gets it.
    private struct Outcome: @unchecked Sendable {
        let copy: Database
        let messages: [String]
    }

    /// - Parameters:
    ///   - file: The copy, with its key and its settings.
    ///   - checkedByteCount: How much of it SQLCipher authenticates, from the beginning: nothing where pages
    ///     have no HMAC.
    init(of file: DatabaseFile, byteCount: Int64, checkedByteCount: Int64) {
        let gate = ReadGate(byteCount: byteCount)
        self.gate = gate
        work = BackgroundThread {
            do {
                // Nobody waits for it once it is abandoned.
                return try ProcessEnd.use { () throws in
                    try Self.check(file, gate, checkedByteCount)
                }
            } catch {
                gate.close()
                throw error
            }
        }
    }

    private static func check(
        _ file: DatabaseFile, _ gate: ReadGate, _ checkedByteCount: Int64
    ) throws -> Outcome {
        // SQLite looks at the beginning of a file as soon as it opens it.
        guard gate.wait(until: 1 << 16) else { throw ReadGate.Closed() }
        let copy = try file.makeBareConnection(.verifying)
        let messages: [String] = try gate.whileReading(copy.connection()) {
            try file.prepare(copy, for: .verifying)
            guard checkedByteCount > 0 else { return [] }
            return try gate.showingOnly(checkedByteCount) {
                try CipherIntegrity(of: copy, fileByteCount: gate.byteCount).messages
            }
        }
        // Nobody may be waiting any more.
        if gate.isClosed {
            try? copy.close()
            throw ReadGate.Closed()
        }
        return Outcome(copy: copy, messages: messages)
    }

    /// Waits for the end, once the whole copy is written.
    ///
    /// - Returns: A connection on the copy, and what SQLCipher has found, which may be nothing.
    func wait(_ operation: LongOperation) throws -> (copy: Database, messages: [String]) {
        do {
            let outcome = try work.wait { try operation.advance(to: gate.position) }
            return (outcome.copy, outcome.messages)
        } catch {
            abandon()
            throw error
        }
    }

    /// Ends the check of a copy that will not be finished.
    ///
    /// SQLCipher cannot be interrupted: its thread goes on for two seconds for each GB, reads nothing
    /// more, and closes the copy, which may be removed before.
    func abandon() {
        gate.close()
        if case .success(let outcome) = work.result { try? outcome.copy.close() }
    }
}
