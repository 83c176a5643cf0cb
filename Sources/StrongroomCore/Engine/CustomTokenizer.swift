internal import CSQLCipher

/// Tokenizers of FTS5 that are Swift objects: one for each use in a table.
///
/// FTS5 owns what is behind a tokenizer from its registration on, and releases it when its
/// connection closes. <https://www.sqlite.org/fts5.html#custom_tokenizers>
// Safety: texts are FTS5's for the time of the call; makers and tokenizers are retained until FTS5
// deletes them.
package enum CustomTokenizer {
    /// What a tokenizer calls for each token: context, flags, text, its length, start and end.
    package typealias TokenCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt, CInt, CInt
        ) -> CInt

    /// A tokenizer, as C sees it.
    package protocol Body: AnyObject {
        func tokenize(
            _ text: Text, context: UnsafeMutableRawPointer?, callback: TokenCallback
        ) -> CInt
    }

    /// What is tokenized, and what for.
    @safe package struct Text {
        package let start: UnsafePointer<CChar>?
        package let count: CInt
        package let flags: CInt

        package init(start: UnsafePointer<CChar>?, count: CInt, flags: CInt) {
            unsafe self.start = start
            self.count = count
            self.flags = flags
        }
    }

    /// Makes a tokenizer, given its arguments.
    package typealias Maker = ([String]) throws -> any Body

    package static func add(
        _ connection: BorrowedConnection, name: String, _ make: @escaping Maker
    ) throws(DatabaseError) {
        let interface = try unsafe FullTextInterface.pointer(connection)
        var tokenizer = unsafe fts5_tokenizer(
            xCreate: { maker, arguments, count, tokenizer in
                unsafe MakerBox.create(maker, arguments, count, tokenizer)
            },
            xDelete: { unsafe BodyBox.release($0) },
            xTokenize: { tokenizer, context, flags, start, count, callback in
                guard let tokenizer = unsafe tokenizer, let callback = unsafe callback else {
                    return SQLITE_MISUSE
                }
                let body = unsafe BodyBox.of(tokenizer).body
                return unsafe GuardedTokens.tokenize(
                    Text(start: start, count: count, flags: flags), by: body, context, callback)
            })
        let code = unsafe interface.pointee.xCreateTokenizer(
            interface, name, Unmanaged.passRetained(MakerBox(make)).toOpaque(), &tokenizer
        ) { maker in
            if let maker = unsafe maker { unsafe Unmanaged<MakerBox>.fromOpaque(maker).release() }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: ResultCode(rawValue: code)) }
    }

    /// The tokenizer of that name, made with arguments.
    ///
    /// - Throws: `SQLITE_ERROR` when there is none, or it does not like its arguments.
    package static func make(
        _ connection: BorrowedConnection, name: String, arguments: [String]
    ) throws(DatabaseError) -> any Body {
        let interface = try unsafe FullTextInterface.pointer(connection)
        var userData: UnsafeMutableRawPointer?
        var module = fts5_tokenizer()
        guard
            unsafe interface.pointee.xFindTokenizer(interface, name, &userData, &module)
                == SQLITE_OK
        else { throw DatabaseError(code: .SQLITE_ERROR, message: "no such tokenizer: \(name)") }
        var tokenizer: OpaquePointer?
        let code = unsafe withPointers(to: arguments) { pointers in
            unsafe module.xCreate(userData, pointers.baseAddress, CInt(arguments.count), &tokenizer)
        }
        guard code == SQLITE_OK, let tokenizer = unsafe tokenizer else {
            throw DatabaseError(
                code: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_ERROR : code),
                message: "error in tokenizer constructor: \(name)")
        }
        return unsafe FoundTokenizer(module: module, tokenizer: tokenizer)
    }

    /// Lends texts as C has them.
    private static func withPointers(
        to texts: [String], _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> CInt
    ) -> CInt {
        let utf8 = texts.map { $0.utf8CString }
        return unsafe utf8.flatMap { $0 }.withUnsafeBufferPointer { characters in
            var offset = 0
            // One more than there are: an array of none has no address.
            var pointers: [UnsafePointer<CChar>?] = unsafe utf8.map { text in
                defer { offset += text.count }
                return unsafe characters.baseAddress.map { unsafe $0 + offset }
            }
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0) }
        }
    }

    /// Has a tokenizer tokenize, and sees to it that it keeps to the rules.
    package static func tokenize(
        _ text: Text, by body: any Body, context: UnsafeMutableRawPointer?, callback: TokenCallback
    ) -> CInt {
        unsafe GuardedTokens.tokenize(text, by: body, context, callback)
    }
}

/// What FTS5 keeps for a registered tokenizer.
// Safety: the user data of this module is always a maker that was retained for it.
private final class MakerBox {
    private let make: CustomTokenizer.Maker

    init(_ make: @escaping CustomTokenizer.Maker) {
        self.make = make
    }

    static func create(
        _ maker: UnsafeMutableRawPointer?,
        _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: CInt,
        _ tokenizer: UnsafeMutablePointer<OpaquePointer?>?
    ) -> CInt {
        guard let maker = unsafe maker, let tokenizer = unsafe tokenizer else {
            return SQLITE_MISUSE
        }
        let box = unsafe Unmanaged<MakerBox>.fromOpaque(maker).takeUnretainedValue()
        let arguments = unsafe UnsafeBufferPointer(start: arguments, count: Int(count))
        do {
            let body = try unsafe box.make(
                arguments.map { unsafe $0.map { unsafe String(cString: $0) } ?? "" })
            unsafe tokenizer.pointee = BodyBox.retained(body)
            return SQLITE_OK
        } catch {
            return GuardedTokens.failure(error)
        }
    }
}

/// What FTS5 keeps for a tokenizer that was made.
// Safety: what FTS5 calls a tokenizer here is always a box that was retained for it.
private final class BodyBox {
    let body: any CustomTokenizer.Body

    private init(_ body: any CustomTokenizer.Body) {
        self.body = body
    }

    static func retained(_ body: any CustomTokenizer.Body) -> OpaquePointer {
        unsafe OpaquePointer(Unmanaged.passRetained(BodyBox(body)).toOpaque())
    }

    static func of(_ tokenizer: OpaquePointer) -> BodyBox {
        unsafe Unmanaged<BodyBox>.fromOpaque(UnsafeRawPointer(tokenizer)).takeUnretainedValue()
    }

    static func release(_ tokenizer: OpaquePointer?) {
        guard let tokenizer = unsafe tokenizer else { return }
        unsafe Unmanaged<BodyBox>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
    }
}

/// A tokenizer that FTS5 knows by its name: its own, or one of ours seen from outside.
// Safety: the tokenizer is this object's own until `deinit`, and its module is there for good.
@safe private final class FoundTokenizer: CustomTokenizer.Body {
    private let module: fts5_tokenizer
    private let tokenizer: OpaquePointer

    init(module: fts5_tokenizer, tokenizer: OpaquePointer) {
        self.module = module
        unsafe self.tokenizer = tokenizer
    }

    deinit {
        unsafe module.xDelete(tokenizer)
    }

    func tokenize(
        _ text: CustomTokenizer.Text, context: UnsafeMutableRawPointer?,
        callback: CustomTokenizer.TokenCallback
    ) -> CInt {
        unsafe module.xTokenize(tokenizer, context, text.flags, text.start, text.count, callback)
    }
}
