internal import LibC

/// A process that has a file open.
package struct FileUser: Sendable, Hashable {
    package let process: Int32
    /// The name of its program, without arguments: those may hold what is not for our messages.
    package let program: String
    /// How many descriptors it has on the file.
    package let descriptorCount: Int

    package var isThisProcess: Bool { process == getpid() }
}

extension FileSystem {
    /// The processes that have one of the files open, as far as this process may see.
    ///
    /// It reads `/proc`; where there is none, the answer is empty. Of another user's processes, all
    /// but root see only those that hold a lock. A child that has just been forked holds all
    /// descriptors of its parent until it becomes another program, which a busy machine may let wait:
    /// whoever lets go within a second is no user.
    package func users(of files: Set<FileStatus.Identity>) -> [FileUser] {
        var remainingWaits = 500
        let users: [FileUser] = OpenDescriptors.processes().compactMap { process in
            var count = OpenDescriptors.count(of: process, on: files)
            if process != getpid() {
                while count > 0, remainingWaits > 0 {
                    remainingWaits -= 1
                    usleep(2000)
                    count = OpenDescriptors.count(of: process, on: files)
                }
            }
            guard count > 0 else { return nil }
            let program = (try? linkTarget("/proc/\(process)/exe"))?.splitAtLastSlash.name
            return FileUser(process: process, program: program ?? "?", descriptorCount: count)
        }
        let known = Set(users.map(\.process) + [getpid()])
        return users
            + lockHolders(of: files).subtracting(known).sorted().map { process in
                let name = text(of: "/proc/\(process)/comm")?.split(separator: "\n").first
                return FileUser(
                    process: process, program: name.map(String.init) ?? "?", descriptorCount: 1)
            }
    }

    /// The processes that hold a lock on one of the files, or wait for one, as everybody may know.
    private func lockHolders(of files: Set<FileStatus.Identity>) -> Set<Int32> {
        let names = Set(files.map(Self.nameInLocks))
        let lines = (text(of: "/proc/locks") ?? "").split(separator: "\n")
        return Set(lines.compactMap { Self.holder(in: $0, of: names) })
    }

    /// `1: POSIX  ADVISORY  WRITE 3548 08:02:1571 0 EOF`, where 3548 is the process.
    package static func holder(in line: Substring, of names: Set<String>) -> Int32? {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(where: { names.contains(String($0)) }), index > 0,
            let process = Int32(words[index - 1]), process > 0
        else { return nil }
        return process
    }

    /// Device, in two parts, and number of a file, as that list writes them.
    package static func nameInLocks(_ file: FileStatus.Identity) -> String {
        func hexadecimal(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        let (major, minor) = numbers(ofDevice: file.device)
        return "\(hexadecimal(major)):\(hexadecimal(minor)):\(file.number)"
    }

    /// The two numbers of a device, as Linux packs them.
    static func numbers(ofDevice device: UInt64) -> (major: UInt64, minor: UInt64) {
        ((device >> 8) & 0xfff | (device >> 32) & ~0xfff, device & 0xff | (device >> 12) & ~0xff)
    }

    /// Of files that the system makes up: no test needs to stand in between.
    func text(of path: String) -> String? {
        let system = FileSystem.system
        guard let descriptor = try? system.openForReading(path) else { return nil }
        defer { system.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = try? bytes.withUnsafeMutableBytes {
            try system.readAll(descriptor, $0, at: 0)
        }
        return count.map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }
}
