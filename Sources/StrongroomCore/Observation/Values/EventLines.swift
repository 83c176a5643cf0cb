internal import Synchronization

/// Lines about what an observation does, of any thread.
final class EventLines: Sendable {
    private let prefix: String
    private let stream: Mutex<Stream>

    // Safety: the stream is touched under the lock only, by whoever gave it away.
    private struct Stream: @unchecked Sendable {
        var base: (any TextOutputStream)?
    }

    init(prefix: String, stream: (any TextOutputStream)?) {
        self.prefix = prefix.isEmpty ? "" : "\(prefix): "
        let stream = Stream(base: stream)
        self.stream = Mutex(stream)
    }

    func write(_ text: String) {
        let line = prefix + text
        stream.withLock { stream in
            // A stream of the app ends its lines as it likes.
            if stream.base == nil {
                StandardOutput.write(line + "\n")
            } else {
                stream.base?.write(line)
            }
        }
    }
}
