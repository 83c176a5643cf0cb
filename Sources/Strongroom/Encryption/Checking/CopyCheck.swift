/// SQLCipher's check of every page of a copy, on a thread of its own, while the copy is written: it
/// waits for pages that are not there yet.
struct CopyCheck {
    /// There is no use in writing on: the check has failed, and ``wait(_:)`` tells why.
    struct Failed: Error {}

    /// What has been written is let through here.
    let gate: ReadGate
    private let work: BackgroundWork<Outcome>

    // Safety: the thread that made the connection has ended when another gets it.
    private struct Outcome: @unchecked Sendable {
        let copy: Database
        let messages: [String]
    }

    /// - Parameters:
    ///   - file: The copy, with its key and its settings.
    ///   - hasAuthentication: Whether its pages have an HMAC; without one there is nothing to check.
    init(of file: DatabaseFile, byteCount: Int64, hasAuthentication: Bool) {
        let gate = ReadGate(byteCount: byteCount)
        self.gate = gate
        work = BackgroundWork {
            do {
                return try Self.check(file, gate, hasAuthentication)
            } catch {
                gate.close()
                throw error
            }
        }
    }

    private static func check(
        _ file: DatabaseFile, _ gate: ReadGate, _ hasAuthentication: Bool
    ) throws -> Outcome {
        // SQLite looks at the beginning of a file as soon as it opens it.
        guard gate.wait(until: 1 << 16) else { throw Failed() }
        let copy = try file.makeBareConnection(.verifying)
        return try gate.whileReading(copy.connection()) {
            try file.prepare(copy, for: .verifying)
            guard hasAuthentication else { return Outcome(copy: copy, messages: []) }
            let integrity = try CipherIntegrity(of: copy, fileByteCount: gate.byteCount)
            return Outcome(copy: copy, messages: integrity.messages)
        }
    }

    /// Waits for the end, once the whole copy is written.
    ///
    /// - Returns: A connection on the copy, and what SQLCipher has found, which may be nothing.
    func wait(_ meter: ProgressMeter) throws -> (copy: Database, messages: [String]) {
        let outcome = try meter.waiting(for: work) {
            gate.position
        } stop: {
            gate.close()
        }
        return (outcome.copy, outcome.messages)
    }

    /// Ends the check of a copy that will not be finished.
    func abandon() {
        gate.close()
        try? work.wait().copy.close()
    }
}
