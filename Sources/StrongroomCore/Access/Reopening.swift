/// How a connection that was closed for a rotation is opened again.
struct Reopening {
    /// The file that the rotation has left there: the old one, or the new one.
    let file: ExpectedFile
    /// The key that the file had before, if the rotation has changed nothing.
    let key: CipherKey?
    /// Run with the new connection.
    var finish: (Database) throws -> Void = { _ in }

    /// A connection with the key that the app gives. If the app cannot give it now, the key that opened the
    /// file until now opens it again, and stays in force.
    func open(_ opening: ConnectionOpening) throws -> Database {
        var opening = opening
        opening.expect(file)
        do {
            return try opening.open()
        } catch {
            guard let key, file.isInPlace else { throw error }
            opening.override = key
            guard let database = try? opening.open() else { throw error }
            opening.configuration.keyInForce?.set(key, forFile: file.path)
            return database
        }
    }

    /// What the closed connection says when it is used.
    static func reason(_ error: any Error) -> BoxedError {
        BoxedError(
            error as? DatabaseError
                ?? DatabaseError(
                    code: .SQLITE_CANTOPEN,
                    message: "the database could not be opened again after a rotation: \(error)"))
    }
}
