internal import CSQLCipher

/// Methods of ours before those of an open file: the one way in which a file's reads, locks and
/// checkpoints are watched.
///
/// SQLite calls a file through a table of functions that the file's structure points to. A table of
/// ours begins as a copy of that table, with some of the functions exchanged; those find their own
/// table by the file, and in it the usual one. They are exchanged once at a time (``exchange``), be it
/// before those of a ``GuardedFile``, which finds its table by itself.
// Safety: a table is there until the file's own is back; C fixes how both are laid out, and only
// functions that were put into a table read it.
enum FileMethods {
    typealias File = UnsafeMutablePointer<sqlite3_file>
    typealias Usual = UnsafePointer<sqlite3_io_methods>

    /// The table to put before a file's own, if there is one of a version, or a later one.
    static func before(
        _ file: File, version: CInt, object: UnsafeMutableRawPointer? = nil
    ) -> strongroom_file_methods? {
        guard let usual = unsafe file.pointee.pMethods, unsafe usual.pointee.iVersion >= version
        else {
            return nil
        }
        return unsafe strongroom_file_methods(methods: usual.pointee, usual: usual, object: object)
    }

    /// Lets SQLite find a table where the file's own was.
    static func set(_ table: UnsafeMutablePointer<strongroom_file_methods>, in file: File) {
        // The methods are the first of the structure, in C.
        unsafe file.pointee.pMethods = UnsafeRawPointer(table)
            .assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    /// Runs a function while some of a file's methods are exchanged.
    ///
    /// - Parameters:
    ///   - schema: The name of the database, `main` or that of an attached one.
    ///   - version: The version of the table in which the exchanged methods came.
    ///   - object: What the methods find by ``object(of:as:)``.
    /// - Throws: What the function throws.
    /// - Returns: nil without having run it where there is no such file.
    static func exchange<Object: AnyObject, T, E: Error>(
        of connection: BorrowedConnection, schema: String, version: CInt, object: Object,
        _ exchange: (inout sqlite3_io_methods) -> Void, during body: () throws(E) -> T
    ) throws(E) -> T? {
        guard let file = unsafe file(of: connection, schema: schema),
            var table = unsafe before(
                file, version: version, object: Unmanaged.passUnretained(object).toOpaque())
        else { return nil }
        unsafe exchange(&table.methods)
        let place = UnsafeMutablePointer<strongroom_file_methods>.allocate(capacity: 1)
        unsafe place.initialize(to: table)
        unsafe set(place, in: file)
        defer {
            unsafe file.pointee.pMethods = table.usual
            unsafe place.deallocate()
            withExtendedLifetime(object) {}
        }
        return try body()
    }

    private static func file(of connection: BorrowedConnection, schema: String) -> File? {
        var file: File?
        unsafe sqlite3_file_control(connection.pointer, schema, SQLITE_FCNTL_FILE_POINTER, &file)
        return unsafe file
    }

    /// What stands before the methods of a file; only for functions that ``exchange`` put there.
    private static func table(of file: File) -> strongroom_file_methods {
        unsafe UnsafeRawPointer(file.pointee.pMethods).load(as: strongroom_file_methods.self)
    }

    /// The methods that an exchanged one stands for.
    static func usual(of file: File) -> sqlite3_io_methods {
        unsafe table(of: file).usual.pointee
    }

    /// The object that was given to ``exchange``, for the functions that it put there.
    static func object<Object: AnyObject>(of file: File, as type: Object.Type) -> Object {
        unsafe Unmanaged<Object>.fromOpaque(table(of: file).object).takeUnretainedValue()
    }
}
