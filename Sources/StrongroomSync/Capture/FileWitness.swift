internal import LibC
internal import StrongroomCore
internal import StrongroomEssentials

/// What tells a file from its copies, and from what it was: kept beside the file, where neither a restored backup nor a
/// copy brings it along.
///
/// 1. It is in the lock's file, behind the holder. It names the file's number on its disk, the machine, and the last
///    batch that was made before anything of it could be in a hub.
/// 2. A file without a witness, with that of another file, or with a lower number is a copy, or was put back.
package struct FileWitness: Sendable, Hashable {
    /// The file's number on its disk.
    package let file: UInt64
    /// What the system calls this machine, once for each installation.
    package let machine: String
    package let run: Run
    package let number: UInt64

    package init(file: UInt64, machine: String, run: Run, number: UInt64) {
        self.file = file
        self.machine = machine
        self.run = run
        self.number = number
    }

    /// The witness of a file as it is now; nil if there is no such file.
    package init?(of path: String, run: Run, number: UInt64) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(
            file: UInt64(status.st_ino), machine: Self.thisMachine, run: run, number: number)
    }

    /// Whether a file with this witness is the one that `kept` was written for, and no older than that.
    package func continues(_ kept: FileWitness) -> Bool {
        file == kept.file && machine == kept.machine && run == kept.run && number >= kept.number
    }

    private static let thisMachine: String = {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let file = fopen(path, "r") else { continue }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = fread(&buffer, 1, buffer.count, file)
            let text = String(decoding: buffer[..<count].prefix { $0 != 10 }, as: UTF8.self)
            if Hexadecimal.bytes(text) != nil { return text }
        }
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return Hexadecimal.text(name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }()

    // MARK: - Text

    /// A line of a fixed length, so that it takes the place of the one before at once.
    var line: String {
        let words = [
            String(file), machine, String(run.high), String(run.low), String(number),
        ].joined(separator: " ")
        return "witness \(words)".padded(to: Self.lineByteCount) + "\n"
    }

    private static let lineByteCount = 639

    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 6, words[0] == "witness", let file = UInt64(words[1]),
            let high = UInt64(words[3]), let low = UInt64(words[4]), let number = UInt64(words[5])
        else { return nil }
        let run = Run(high: high, low: low)
        self.init(file: file, machine: String(words[2]), run: run, number: number)
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(count - utf8.count, 0))
    }
}
