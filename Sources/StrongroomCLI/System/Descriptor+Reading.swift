import LibC
import StrongroomCore

extension Descriptor {
    /// Why reading stopped before the end.
    enum ReadingError: Error {
        case system(SystemError)
        case cancelled(Failure)
        /// More came than a key can have.
        case tooLong

        /// What to report about it.
        func failure(reading name: String) -> Failure {
            switch self {
            case .cancelled(let failure): failure
            case .tooLong: .keyTooLong(name)
            case .system(let error): Failure(.failed, "cannot read \(name): \(error.reason)")
            }
        }
    }

    private static let chunkByteCount = 4096

    /// Reads up to the end, right into memory that is wiped after use.
    func readSecret(
        limit: Int, _ cancellation: Cancellation
    ) throws(ReadingError) -> SecretBytes {
        var secret = SecretBytes(capacity: limit + Self.chunkByteCount)
        while try appendChunk(to: &secret, cancellation) > 0 {
            if secret.count > limit { throw .tooLong }
        }
        return secret
    }

    /// Reads a line from a terminal, without its newline; nil if the input ends instead. Another
    /// character that ends lines stays in it.
    ///
    /// A terminal that edits lines hands over one line at a time: nothing after the newline is lost.
    func readSecretLine(
        limit: Int, endingAlsoWith other: UInt8? = nil, _ cancellation: Cancellation
    ) throws(ReadingError) -> SecretBytes? {
        var secret = SecretBytes(capacity: limit + Self.chunkByteCount)
        while try appendChunk(to: &secret, cancellation) > 0 {
            if secret.count > limit { throw .tooLong }
            let last = secret.withUnsafeBytes { $0.last }
            // It stays, so that the caller sees how the line ended.
            if let other, last == other { return secret }
            if last == UInt8(ascii: "\n") {
                secret.truncate(to: secret.count - 1)
                return secret
            }
        }
        if secret.isEmpty { return nil }
        return secret
    }

    /// Reads up to the end; for text that is no secret.
    func readAll(_ cancellation: Cancellation) throws(ReadingError) -> [UInt8] {
        var all: [UInt8] = []
        var count = 1
        while count > 0 {
            count = try readChunk(cancellation) { () throws(SystemError) in
                let chunk = try readPrefix(Self.chunkByteCount)
                all += chunk
                return chunk.count
            }
        }
        return all
    }

    private func appendChunk(
        to secret: inout SecretBytes, _ cancellation: Cancellation
    ) throws(ReadingError) -> Int {
        let before = secret.count
        return try readChunk(cancellation) { () throws(SystemError) in
            try secret.append(upTo: Self.chunkByteCount) { buffer throws(SystemError) in
                try read(into: buffer)
            }
            return secret.count - before
        }
    }

    /// Waits for input, or for the wish to stop, and then calls `read`.
    private func readChunk(
        _ cancellation: Cancellation, _ read: () throws(SystemError) -> Int
    ) throws(ReadingError) -> Int {
        while true {
            do throws(SystemError) {
                try awaitInput(cancellation)
                if !cancellation.isCancelled { return try read() }
            } catch {
                // Another reader of the same pipe may have been faster.
                if error.number != SystemError.tryAgain { throw .system(error) }
            }
            do throws(Failure) { try cancellation.check() } catch { throw .cancelled(error) }
        }
    }

    /// Returns when there is something to read or someone wished to stop.
    private func awaitInput(_ cancellation: Cancellation) throws(SystemError) {
        var entries = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)]
        if let wakeup = cancellation.wakeup {
            entries.append(pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0))
        }
        while poll(&entries, nfds_t(entries.count), -1) < 0 {
            if errno != EINTR { throw .last("poll") }
        }
    }
}
