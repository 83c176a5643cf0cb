import LibC
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// A log of what was done with keys: one JSON object a line, each with the hash of the line before.
///
/// A line that is removed, changed or moved is found by ``verified()``; that the last lines are missing is
/// seen only by somebody who has noted a later hash elsewhere. No line holds a secret.
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
    func noting<Result>(_ body: () throws -> (Result, Entry)) throws -> Result {
        let file = try opened()
        defer { file.close() }
        guard flock(file.number, LOCK_EX) == 0 else { throw failure(.last("flock")) }
        let result: Result
        do {
            let (value, entry) = try body()
            try append(entry, to: file)
            result = value
        } catch let error as Refused {
            try append(error.entry, to: file)
            throw error.underlying
        }
        return result
    }

    /// A secret opened nothing: that is noted, too.
    struct Refused: Error {
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

    private func append(_ entry: Entry, to file: Descriptor) throws(Failure) {
        let text = try bytes(of: file)
        var line = ""
        if let last = text.last, last != UInt8(ascii: "\n") { line = "\n" }
        let previous = try text.split(separator: UInt8(ascii: "\n")).last.map(hash)
        line += json(entry, previous ?? Self.firstPrevious).text + "\n"
        do throws(SystemError) {
            try file.write(text: line)
            guard fsync(file.number) == 0 else { throw .last("fsync") }
        } catch {
            throw failure(error, isDone: true)
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

    private func hash(_ line: some Sequence<UInt8>) throws(Failure) -> String {
        do {
            return try Array(line).withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
        } catch {
            throw Failure(.failed, "cannot hash a line of \(path)")
        }
    }

    private func bytes(of file: Descriptor) throws(Failure) -> [UInt8] {
        let size = lseek(file.number, 0, SEEK_END)
        guard size >= 0 else { throw failure(.last("lseek")) }
        return file.bytes(at: 0, count: Int(size))
    }

    // MARK: Verifying

    /// How many lines there are, and the hash of the last one.
    ///
    /// - Throws: ``Failure`` of status 13, with the first line that does not follow from the one before.
    func verified() throws(Failure) -> (count: Int, last: String) {
        let file: Descriptor
        do throws(SystemError) {
            file = try .open(path, O_RDONLY)
        } catch {
            throw Failure(.failed, "cannot read the log \(path): \(error.reason)")
        }
        defer { file.close() }
        struct Line: Decodable {
            let previous: String
        }
        let text = try bytes(of: file)
        var previous = Self.firstPrevious
        let lines = text.split(separator: UInt8(ascii: "\n"))
        for (index, line) in lines.enumerated() {
            let read = try? JSONDecoder().decode(Line.self, from: Data(line))
            // Whoever was killed while writing has left a part of a line, which the next one follows.
            let isCutOff = read == nil && line.last != UInt8(ascii: "}")
            guard isCutOff || read?.previous == previous else {
                throw Failure(
                    .damaged, "line \(index + 1) of \(path) does not follow from the line before",
                    hint: "a line there was removed, changed or moved")
            }
            previous = try hash(line)
        }
        return (lines.count, previous)
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
    func noting<Result>(
        _ what: String, _ database: String, slot: String? = nil, _ body: () throws -> Result
    ) throws -> Result {
        guard let self else { return try body() }
        func entry(_ what: String) -> AuditLog.Entry {
            AuditLog.Entry(
                what: what, file: database, slot: slot,
                key: (try? Keyring(of: database))?.keys.last?.id)
        }
        return try self.noting {
            do {
                return (try body(), entry(what))
            } catch {
                guard Failure(describing: error).exitCode == .wrongKey else { throw error }
                throw AuditLog.Refused(entry: entry("refused"), underlying: error)
            }
        }
    }
}
