import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The files that a command line of files and folders names.
enum RotationTargets {
    private static let sidecars = ["-wal", "-shm", "-journal"]
    private static let plainHeader = Array("SQLite format 3\0".utf8)

    /// Files as they are named, then those of folders that can be encrypted databases: each once.
    static func files(_ paths: [String]) throws(Failure) -> [String] {
        var files: [String] = []
        var known: Set<String> = []
        for path in paths {
            let found = isFolder(path) ? candidates(in: path) : [path]
            for file in found where known.insert(identity(of: file)).inserted {
                files.append(file)
            }
        }
        guard !files.isEmpty else {
            throw Failure(.notFound, "no encrypted database is there")
        }
        return files
    }

    static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    static func byteCount(_ path: String) -> Int64 {
        status(path).map { Int64($0.st_size) } ?? 0
    }

    private static func candidates(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (names ?? []).sorted()
            .map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
            .filter(isCandidate)
    }

    /// Links are left alone: what they lead to is in the folder, or none of its business.
    private static func isCandidate(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let isOurs = name.hasPrefix(".") && name.contains(".strongroom-")
        guard !isOurs, !sidecars.contains(where: name.hasSuffix),
            status.st_size >= 512, status.st_size % 512 == 0
        else { return false }
        let start = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 16) }
        return start.map(Array.init) != plainHeader
    }

    private static func identity(of path: String) -> String {
        status(path).map { "\($0.st_dev) \($0.st_ino)" } ?? path
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
