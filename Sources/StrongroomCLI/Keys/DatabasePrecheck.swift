import LibC
import Strongroom

/// What can be told about files before a key is asked for. The library finds all of it again; this
/// only spares people typing a key in vain.
enum DatabasePrecheck {
    private static let plainHeader = PageCodec.magic
    /// SQLite's smallest page.
    private static let smallestByteCount = 512

    static func encrypted(_ path: String) throws(Failure) {
        let start = try beginning(of: path)
        if start == plainHeader {
            throw Failure(.plaintext, path, "\(path) is not encrypted")
        }
    }

    static func plain(_ path: String) throws(Failure) {
        let start = try beginning(of: path)
        if start != plainHeader {
            throw Failure(
                .keyRequired, path, "\(path) is not a plain SQLite database")
        }
    }

    /// Refuses a result that would take the place of its source, or of a file that is to stay.
    static func destination(
        _ path: String, for source: String, overwrites: Bool
    ) throws(Failure) {
        guard let status = status(path) else { return }
        if let sourceStatus = Self.status(source), sourceStatus.st_dev == status.st_dev,
            sourceStatus.st_ino == status.st_ino
        {
            throw Failure(.sameFile, path, "\(path) and \(source) are the same file")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(.notAFile, path, "\(path) is a directory")
        }
        if !overwrites { throw Failure(.exists, path, "\(path) exists already") }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func beginning(of path: String) throws(Failure) -> [UInt8] {
        guard let status = status(path) else {
            if errno == ENOENT || errno == ENOTDIR {
                throw Failure(.notFound, path, "\(path) is not there")
            }
            throw Failure(
                .permission, path, "cannot open \(path): \(SystemError.last("stat").reason)")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(.notAFile, path, "\(path) is a directory")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.notAFile, path, "\(path) is not a regular file")
        }
        if status.st_size == 0 { throw Failure(.notADatabase, path, "\(path) is empty") }
        if status.st_size < smallestByteCount {
            throw Failure(
                .notADatabase, path,
                "\(path) has \(status.st_size) bytes; a database has 512 or more")
        }
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_RDONLY)
            defer { file.close() }
            return try file.readPrefix(plainHeader.count)
        } catch {
            throw Failure(.permission, path, "cannot read \(path): \(error.reason)")
        }
    }
}
