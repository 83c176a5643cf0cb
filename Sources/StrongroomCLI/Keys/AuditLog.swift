import LibC
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// A log of what was done with keys: one JSON object a line, each with the hash of the line before.
///
/// ``verified()`` finds a line that is removed, changed or moved. Lines that are missing at the end show only
/// to a user who has noted a later hash elsewhere, and so do lines that are written anew with all hashes. No
/// line holds a secret.
struct AuditLog {
    /// What was done.
    struct Entry {
        let what: String
        let file: String
        var slot: String?
        var key: String?
    }

    private static let firstPrevious = String(repeating: "0", count: 64)

    let path: String

    /// Calls a closure, and appends what it did; nothing is done if the log cannot be written.
    ///
    /// - Parameter intention: Written before, so that a command which is killed leaves a line, too.
    func noting<Result>(
        intention: Entry? = nil, _ body: () throws -> (Result, Entry)
    ) throws -> Result {
        let file = try opened()
        defer { file.close() }
        guard flock(file.number, LOCK_EX) == 0 else { throw failure(.last("flock")) }
        if let intention { try append(intention, to: file, isDone: false) }
        let result: Result
        do {
            let (value, entry) = try body()
            try append(entry, to: file)
            result = value
        } catch let error as Unsuccessful {
            try append(error.entry, to: file)
            throw error.underlying
        }
        return result
    }

    /// A secret opened nothing, or what was begun failed: that is noted, too.
    struct Unsuccessful: Error {
        let entry: Entry
        let underlying: any Error
    }

    private func opened() throws(Failure) -> Descriptor {
        let number = open(
            path.systemPath, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw failure(.last("open")) }
        return Descriptor(number: number)
    }

    private func failure(_ error: SystemError, isDone: Bool = false) -> Failure {
        Failure(
            .failed, "cannot write the log \(path): \(error.reason)",
            hint: isDone
                ? "the command has done its work; only the log could not be written"
                : "nothing was done; check the path, or leave out --audit")
    }

    private func append(
        _ entry: Entry, to file: Descriptor, isDone: Bool = true
    ) throws(Failure) {
        let text = try bytes(of: file)
        var line = ""
        if let last = text.last, last != UInt8(ascii: "\n") { line = "\n" }
        let previous = try text.split(separator: UInt8(ascii: "\n")).last.map {
            line throws(Failure) in try AuditLine.hash(line, path)
        }
        line += try AuditLine.text(of: json(entry, previous ?? Self.firstPrevious), path) + "\n"
        do throws(SystemError) {
            try file.write(text: line)
            guard fsync(file.number) == 0 else { throw .last("fsync") }
        } catch {
            throw failure(error, isDone: isDone)
        }
    }

    private func json(_ entry: Entry, _ previous: String) -> JSONValue {
        .object([
            .init("time", .string(WrittenTime.text(of: Date()))),
            .init("what", .string(entry.what)),
            .init("file", .string(entry.file)),
            .init("slot", entry.slot.map { .string($0) } ?? .null),
            .init("key", entry.key.map { .string($0) } ?? .null),
            .init("user", .string(Keyring.userName)), .init("host", .string(Keyring.hostName)),
            .init("previous", .string(previous)),
        ])
    }

    private func bytes(of file: Descriptor) throws(Failure) -> [UInt8] {
        let size = lseek(file.number, 0, SEEK_END)
        guard size >= 0 else { throw failure(.last("lseek")) }
        return file.bytes(at: 0, count: Int(size))
    }

    // MARK: Verifying

    /// What a log that is intact holds.
    struct Verified {
        let count: Int
        /// The hash of the last line.
        let last: String
        /// The numbers of the lines that a command was killed while writing.
        let cutLines: [Int]
    }

    /// Verifies the form of each line, its checksum if it has one, and that it follows from the line before.
    ///
    /// - Throws: ``Failure`` of status 13, with the first line that does not.
    func verified() throws(Failure) -> Verified {
        let file: Descriptor
        do throws(SystemError) {
            file = try .open(path, O_RDONLY)
        } catch {
            throw Failure(.failed, "cannot read the log \(path): \(error.reason)")
        }
        defer { file.close() }
        var previous = Self.firstPrevious
        var cutLines: [Int] = []
        let lines = try bytes(of: file).split(separator: UInt8(ascii: "\n"))
        for (index, line) in lines.enumerated() {
            switch try AuditLine(line, path) {
            case .intact(let follows) where follows == previous: break
            case .intact:
                throw Failure(
                    .damaged, "line \(index + 1) of \(path) does not follow from the line before",
                    hint: "a line there was removed, changed or moved")
            // Whoever was killed while writing has left a part of a line, which the next one follows.
            case .cut where index + 1 < lines.count: cutLines.append(index + 1)
            case .cut:
                throw Failure(
                    .damaged, "line \(index + 1) of \(path), the last one, is cut off",
                    hint: "a command was killed while it wrote the line, or the line was changed")
            case .changed:
                throw Failure(
                    .damaged, "line \(index + 1) of \(path) was changed",
                    hint: "its checksum or its form is wrong")
            }
            previous = try AuditLine.hash(line, path)
        }
        return Verified(count: lines.count, last: previous, cutLines: cutLines)
    }
}

extension AuditLog {
    init?(_ arguments: ParsedArguments) {
        guard let path = arguments.value(KeyOptions.audit) else { return nil }
        self.path = path
    }
}

extension AuditLog? {
    /// Calls a closure, and notes that it did something with the keyring of a database; or that its secret
    /// opened nothing.
    ///
    /// - Parameter isBegun: Whether to note that it begins, too: it may be killed after it has changed the key.
    func noting<Result>(
        _ what: String, _ database: String, slot: String? = nil, isBegun: Bool = false,
        _ body: () throws -> Result
    ) throws -> Result {
        guard let self else { return try body() }
        func entry(_ what: String) -> AuditLog.Entry {
            AuditLog.Entry(
                what: what, file: database, slot: slot,
                key: (try? Keyring(of: database))?.keys.last?.id)
        }
        return try self.noting(intention: isBegun ? entry(what + " begun") : nil) {
            do {
                return (try body(), entry(what))
            } catch {
                let isRefused = Failure(describing: error).exitCode == .wrongKey
                guard isRefused || isBegun else { throw error }
                throw AuditLog.Unsuccessful(
                    entry: entry(isRefused ? "refused" : what + " failed"), underlying: error)
            }
        }
    }
}
