internal import CSQLCipher
internal import Dispatch
internal import Synchronization

/// Lets a connection read a file that is still being written: what is not there yet is waited for.
///
/// 1. Bytes may come in any order; those are there that have no gap before them.
/// 2. One thread reads, any number write.
/// 3. A closed gate lets nothing pass: reads fail, those that wait as well.
package final class ReadGate: Sendable {
    private struct State {
        /// How many bytes are there.
        var end: Int64 = 0
        /// What came early: ends of ranges, by their beginnings.
        var islands: [Int64: Int64] = [:]
        /// How many bytes the reader waits for.
        var awaited: Int64?
        var isClosed = false
    }

    /// The size of the whole file.
    package let byteCount: Int64
    /// The size that the connection is told.
    fileprivate let shownByteCount: Atomic<Int64>
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let readEnd = Atomic<Int64>(0)

    package init(byteCount: Int64) {
        self.byteCount = byteCount
        shownByteCount = Atomic(byteCount)
    }

    /// Runs a function while the file seems to be no longer than its first bytes.
    package func showingOnly<T>(_ count: Int64, _ body: () throws -> T) rethrows -> T {
        shownByteCount.store(min(count, byteCount), ordering: .relaxed)
        defer { shownByteCount.store(byteCount, ordering: .relaxed) }
        return try body()
    }

    /// How far the connection has read.
    package var position: Int64 { readEnd.load(ordering: .relaxed) }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Who reads has given up, or was made to.
    package struct Closed: Error {}

    /// - Throws: ``Closed``.
    package func requireOpen() throws {
        if isClosed { throw Closed() }
    }

    /// How many bytes are there, without a gap.
    package var end: Int64 { state.withLock { $0.end } }

    /// Bytes have been written.
    package func open(_ range: Range<Int64>) {
        state.withLock { state in
            state.islands[range.lowerBound] = range.upperBound
            while let end = state.islands.removeValue(forKey: state.end) { state.end = end }
            if let awaited = state.awaited, state.end >= awaited { wake(&state) }
        }
    }

    /// Nothing more will be written, or read.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            if state.awaited != nil { wake(&state) }
        }
    }

    /// Each waiting is woken once, so that the semaphore ends where it began.
    private func wake(_ state: inout State) {
        state.awaited = nil
        arrival.signal()
    }

    /// Waits until as many bytes are there, or all.
    ///
    /// - Returns: False at a closed gate.
    package func wait(until end: Int64) -> Bool {
        let end = min(end, byteCount)
        while true {
            let passes: Bool? = state.withLock { state in
                if state.isClosed { return false }
                if state.end >= end { return true }
                state.awaited = end
                return nil
            }
            guard let passes else {
                arrival.wait()
                continue
            }
            if passes { readEnd.store(end, ordering: .relaxed) }
            return passes
        }
    }
}

/// What the methods of a file that is read through a gate know.
// Safety: the connection is the one that reads, which it does from within.
private final class GatedFile {
    let gate: ReadGate
    let connection: BorrowedConnection

    init(_ gate: ReadGate, _ connection: BorrowedConnection) {
        self.gate = gate
        self.connection = connection
    }

    /// Waits until SQLite may read.
    func wait(until end: Int64) -> Bool {
        if gate.wait(until: end) { return true }
        // `cipher_integrity_check` goes on, and would keep a message for every page.
        unsafe sqlite3_limit(connection.pointer, SQLITE_LIMIT_VDBE_OP, 0)
        return false
    }
}

// Safety: SQLite gives its file with every call, and the buffer goes back to its own methods.
extension ReadGate {
    /// Runs a function while all that a connection reads of its main file goes through the gate.
    ///
    /// - Throws: What the function throws; `SQLITE_CANTOPEN` where there is no file.
    package func whileReading<T>(_ connection: BorrowedConnection, _ body: () throws -> T) throws
        -> T
    {
        let result = try FileMethods.exchange(
            of: connection, schema: "main", version: 1, object: GatedFile(self, connection),
            Self.setReads, during: body)
        guard let result else { throw DatabaseError(code: .SQLITE_CANTOPEN) }
        return result
    }

    private static func setReads(_ methods: inout sqlite3_io_methods) {
        // Version 3 can map the file into memory, past the gate.
        methods.iVersion = min(methods.iVersion, 2)
        unsafe methods.xFileSize = { file, size in
            guard let file = unsafe file, let size = unsafe size else { return SQLITE_IOERR }
            let gate = unsafe FileMethods.object(of: file, as: GatedFile.self).gate
            unsafe size.pointee = gate.shownByteCount.load(ordering: .relaxed)
            return SQLITE_OK
        }
        unsafe methods.xRead = { file, buffer, count, offset in
            guard let file = unsafe file else { return SQLITE_IOERR }
            let gated = unsafe FileMethods.object(of: file, as: GatedFile.self)
            guard gated.wait(until: offset + Int64(count)) else {
                ProcessEnd.passPage()
                return SQLITE_IOERR
            }
            return unsafe FileMethods.usual(of: file).xRead(file, buffer, count, offset)
        }
    }
}
