/// The file that a connection has to open, which the queue or pool had before.
///
/// Another one under its name is another database, and an empty one in its place would take its log.
struct ExpectedFile: Sendable {
    let path: String
    let identity: FileStatus.Identity

    /// Nil if the connection's file is no longer the one that its path leads to.
    init?(of database: Database) {
        guard let connection = database.openConnection, !connection.hasFileMoved,
            let path = connection.fileName(schema: "main"), let identity = database.fileIdentity
        else { return nil }
        self.init(path: path, identity: identity)
    }

    init(path: String, identity: FileStatus.Identity) {
        self.path = path
        self.identity = identity
    }

    /// The file that the path leads to now.
    init?(at path: String) {
        guard let status = try? FileSystem.system.status(path) else { return nil }
        self.init(path: path, identity: status.identity)
    }

    var isInPlace: Bool { ExpectedFile(at: path)?.identity == identity }

    var movedError: DatabaseError {
        DatabaseError(
            code: .SQLITE_READONLY_DBMOVED,
            message: """
                \(path) was moved, replaced or deleted during a rotation of its key. Nothing was created. \
                Put the file back, and the next access opens it; or close the database
                """)
    }
}

extension ConnectionOpening {
    /// Opens that file again, and creates none.
    mutating func expect(_ file: ExpectedFile) {
        flags.remove(.create)
        expected = file
    }

    /// - Parameter database: The connection, once there is one.
    func requireExpectedFile(_ database: Database? = nil) throws(DatabaseError) {
        guard let expected else { return }
        guard expected.isInPlace, database?.openConnection?.hasFileMoved != true else {
            throw expected.movedError
        }
    }
}
