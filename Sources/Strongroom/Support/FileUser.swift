#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

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
    /// It reads `/proc`; where there is none, the answer is empty. Another user's processes are
    /// seen by root alone. A child that has just been forked holds all descriptors of its parent
    /// until it becomes another program: whoever lets go within a moment is no user.
    package func users(of files: Set<FileStatus.Identity>) -> [FileUser] {
        let processes = ((try? names("/proc")) ?? []).compactMap { Int32($0) }
        return processes.sorted().compactMap { process in
            var count = descriptorCount(of: process, on: files)
            if process != getpid() {
                for _ in 0..<25 where count > 0 {
                    usleep(2000)
                    count = descriptorCount(of: process, on: files)
                }
            }
            guard count > 0 else { return nil }
            let program = (try? linkTarget("/proc/\(process)/exe"))?.splitAtLastSlash.name
            return FileUser(process: process, program: program ?? "?", descriptorCount: count)
        }
    }

    private func descriptorCount(
        of process: Int32, on files: Set<FileStatus.Identity>
    ) -> Int {
        let folder = "/proc/\(process)/fd"
        return ((try? names(folder)) ?? []).count { descriptor in
            isFile("\(folder)/\(descriptor)", oneOf: files)
        }
    }

    /// Sockets and pipes are left alone: their links have no slash in front.
    private func isFile(_ path: String, oneOf files: Set<FileStatus.Identity>) -> Bool {
        guard let target = try? linkTarget(path), target.hasPrefix("/"),
            let status = try? status(path)
        else { return false }
        return files.contains(status.identity)
    }
}
