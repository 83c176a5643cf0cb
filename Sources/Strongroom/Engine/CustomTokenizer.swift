internal import CSQLCipher

/// Tokenizers of FTS5 that are Swift objects: one for each use in a table.
///
/// FTS5 owns what is behind a tokenizer from its registration on, and releases it when its
/// connection closes. <https://www.sqlite.org/fts5.html#custom_tokenizers>
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
    package struct Text {
        package let start: UnsafePointer<CChar>?
        package let count: CInt
        package let flags: CInt

        package init(start: UnsafePointer<CChar>?, count: CInt, flags: CInt) {
            self.start = start
            self.count = count
            self.flags = flags
        }
    }

    /// Makes a tokenizer, given its arguments.
    package typealias Maker = ([String]) throws -> any Body

    package static func add(
        _ connection: BorrowedConnection, name: String, _ make: @escaping Maker
    ) throws(DatabaseError) {
        let interface = try FullTextInterface.pointer(connection)
        var tokenizer = fts5_tokenizer(
            xCreate: { maker, arguments, count, tokenizer in
                MakerBox.create(maker, arguments, count, tokenizer)
            },
            xDelete: { BodyBox.release($0) },
            xTokenize: { tokenizer, context, flags, start, count, callback in
                guard let tokenizer, let callback else { return SQLITE_MISUSE }
                let body = BodyBox.of(tokenizer).body
                return GuardedTokens.tokenize(
                    Text(start: start, count: count, flags: flags), by: body, context, callback)
            })
        let code = interface.pointee.xCreateTokenizer(
            interface, name, Unmanaged.passRetained(MakerBox(make)).toOpaque(), &tokenizer
        ) { maker in
            if let maker { Unmanaged<MakerBox>.fromOpaque(maker).release() }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: ResultCode(rawValue: code)) }
    }

    /// The tokenizer of that name, made with arguments.
    ///
    /// - Throws: `SQLITE_ERROR` when there is none, or it does not like its arguments.
    package static func make(
        _ connection: BorrowedConnection, name: String, arguments: [String]
    ) throws(DatabaseError) -> any Body {
        let interface = try FullTextInterface.pointer(connection)
        var userData: UnsafeMutableRawPointer?
        var module = fts5_tokenizer()
        guard interface.pointee.xFindTokenizer(interface, name, &userData, &module) == SQLITE_OK
        else { throw DatabaseError(code: .SQLITE_ERROR, message: "no such tokenizer: \(name)") }
        var tokenizer: OpaquePointer?
        let code = withPointers(to: arguments) { pointers in
            module.xCreate(userData, pointers.baseAddress, CInt(arguments.count), &tokenizer)
        }
        guard code == SQLITE_OK, let tokenizer else {
            throw DatabaseError(
                code: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_ERROR : code),
                message: "error in tokenizer constructor: \(name)")
        }
        return FoundTokenizer(module: module, tokenizer: tokenizer)
    }

    /// Lends texts as C has them.
    private static func withPointers(
        to texts: [String], _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> CInt
    ) -> CInt {
        let utf8 = texts.map { $0.utf8CString }
        return utf8.flatMap { $0 }.withUnsafeBufferPointer { characters in
            var offset = 0
            // One more than there are: an array of none has no address.
            var pointers: [UnsafePointer<CChar>?] = utf8.map { text in
                defer { offset += text.count }
                return characters.baseAddress.map { $0 + offset }
            }
            pointers.append(nil)
            return pointers.withUnsafeMutableBufferPointer { body($0) }
        }
    }

    /// Has a tokenizer tokenize, and sees to it that it keeps to the rules.
    package static func tokenize(
        _ text: Text, by body: any Body, context: UnsafeMutableRawPointer?, callback: TokenCallback
    ) -> CInt {
        GuardedTokens.tokenize(text, by: body, context, callback)
    }
}

/// What FTS5 keeps for a registered tokenizer.
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
        guard let maker, let tokenizer else { return SQLITE_MISUSE }
        let box = Unmanaged<MakerBox>.fromOpaque(maker).takeUnretainedValue()
        let arguments = UnsafeBufferPointer(start: arguments, count: Int(count))
        do {
            let body = try box.make(arguments.map { $0.map { String(cString: $0) } ?? "" })
            tokenizer.pointee = BodyBox.retained(body)
            return SQLITE_OK
        } catch {
            return GuardedTokens.failure(error)
        }
    }
}

/// What FTS5 keeps for a tokenizer that was made.
private final class BodyBox {
    let body: any CustomTokenizer.Body

    private init(_ body: any CustomTokenizer.Body) {
        self.body = body
    }

    static func retained(_ body: any CustomTokenizer.Body) -> OpaquePointer {
        OpaquePointer(Unmanaged.passRetained(BodyBox(body)).toOpaque())
    }

    static func of(_ tokenizer: OpaquePointer) -> BodyBox {
        Unmanaged<BodyBox>.fromOpaque(UnsafeRawPointer(tokenizer)).takeUnretainedValue()
    }

    static func release(_ tokenizer: OpaquePointer?) {
        guard let tokenizer else { return }
        Unmanaged<BodyBox>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
    }
}

/// A tokenizer that FTS5 knows by its name: its own, or one of ours seen from outside.
private final class FoundTokenizer: CustomTokenizer.Body {
    private let module: fts5_tokenizer
    private let tokenizer: OpaquePointer

    init(module: fts5_tokenizer, tokenizer: OpaquePointer) {
        self.module = module
        self.tokenizer = tokenizer
    }

    deinit {
        module.xDelete(tokenizer)
    }

    func tokenize(
        _ text: CustomTokenizer.Text, context: UnsafeMutableRawPointer?,
        callback: CustomTokenizer.TokenCallback
    ) -> CInt {
        module.xTokenize(tokenizer, context, text.flags, text.start, text.count, callback)
    }
}
