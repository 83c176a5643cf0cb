#if os(Linux)
internal import Dispatch
internal import LibC
internal import Synchronization

/// Reports writes to files of a folder, by whatever process, as long as it lives.
package final class FolderWatch: Sendable {
    private let key: FolderEvents.Key

    /// - Parameters:
    ///   - files: The names that count; nil for all of them.
    ///   - onChange: Called on a queue that all watches share, once or more for several
    ///     writes. It must not wait.
    /// - Throws: The system's error when the folder can't be watched.
    package init(
        folder: String, files: Set<String>?, onChange: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        key = try FolderEvents.shared.add(
            FolderEvents.Listener(files: files, onChange: onChange), to: folder)
    }

    deinit {
        FolderEvents.shared.remove(key)
    }
}

/// The events of all folders that this process watches, from one descriptor.
///
/// A user may have 128 such descriptors in all processes together.
/// <https://man7.org/linux/man-pages/man7/inotify.7.html>
///
/// Invariants:
/// 1. The descriptor is opened with the first watch, and stays open: a second source on it would
///    take events away from the first.
/// 2. The system watches a folder, by a number, as long as anybody listens to it. The number is
///    not given again: events that come late find nobody.
/// 3. Listeners are called outside of the lock.
private final class FolderEvents: Sendable {
    static let shared = FolderEvents()

    private let state = Mutex(State())

    struct Listener {
        let files: Set<String>?
        let onChange: @Sendable () -> Void
    }

    struct Key: Hashable {
        let watch: CInt
        let number: Int
    }

    // Safety: the source is resumed before it is stored, and never touched again.
    private struct State: @unchecked Sendable {
        var source: (descriptor: CInt, source: any DispatchSourceRead)?
        var listeners: [CInt: [Int: Listener]] = [:]
        var lastNumber = 0
    }

    /// Something that happened in a folder.
    private struct Event {
        /// nil where it is not known which: events were lost.
        let watch: CInt?
        let name: String
    }

    func add(_ listener: Listener, to folder: String) throws(SystemError) -> Key {
        try state.withLock { state throws(SystemError) in
            let descriptor = try descriptor(&state, folder)
            let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO)
            // The same folder has the same number again.
            let watch = inotify_add_watch(descriptor, folder.systemPath, events)
            guard watch >= 0 else {
                throw SystemError("inotify_add_watch", folder, number: errno)
            }
            state.lastNumber += 1
            state.listeners[watch, default: [:]][state.lastNumber] = listener
            return Key(watch: watch, number: state.lastNumber)
        }
    }

    func remove(_ key: Key) {
        state.withLock { state in
            state.listeners[key.watch]?[key.number] = nil
            guard state.listeners[key.watch]?.isEmpty == true, let source = state.source else {
                return
            }
            state.listeners[key.watch] = nil
            // It fails if the folder is gone.
            _ = inotify_rm_watch(source.descriptor, key.watch)
        }
    }

    private func descriptor(
        _ state: inout State, _ folder: String
    ) throws(SystemError) -> CInt {
        if let source = state.source { return source.descriptor }
        let descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("inotify_init1", folder, number: errno) }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "FolderWatch"))
        source.setEventHandler { [self] in tell(Self.takeEvents(from: descriptor)) }
        source.resume()
        state.source = (descriptor, source)
        return descriptor
    }

    private func tell(_ events: [Event]) {
        let concerned = state.withLock { state in
            state.listeners.flatMap { watch, listeners in
                listeners.values.filter { listener in
                    events.contains { event in
                        event.watch.map {
                            $0 == watch && listener.files?.contains(event.name) ?? true
                        }
                            ?? true
                    }
                }
            }
        }
        for listener in concerned { listener.onChange() }
    }

    private static func takeEvents(from descriptor: CInt) -> [Event] {
        var events: [Event] = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                events += Self.events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return events
    }

    /// An event is the watch and three more numbers of four bytes, the last of which is the length
    /// of the name.
    private static func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        while rest.count >= 16 {
            let header = UnsafeRawBufferPointer(rebasing: rest.prefix(16))
            let watch = header.load(as: CInt.self)
            let mask = header.load(fromByteOffset: 4, as: UInt32.self)
            let length = Int(header.load(fromByteOffset: 12, as: UInt32.self))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            let isOverflow = mask & UInt32(IN_Q_OVERFLOW) != 0
            events.append(
                Event(
                    watch: isOverflow ? nil : watch, name: PathText.text(of: name)))
            rest = rest.dropFirst(16 + length)
        }
        return events
    }
}
#endif
