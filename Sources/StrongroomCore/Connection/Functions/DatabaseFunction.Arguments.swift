extension DatabaseFunction {
    /// The arguments of one function call, in SQLite's own memory.
    ///
    /// They are valid during the call and cannot be kept; values that you read can be.
    public struct Arguments: ~Copyable {
        private let arguments: FunctionArguments

        init(_ arguments: FunctionArguments) {
            self.arguments = arguments
        }

        /// The number of arguments.
        public var count: Int { arguments.count }

        /// A copy of an argument, counted from 0.
        ///
        /// - Precondition: There are that many arguments.
        public subscript(index: Int) -> DatabaseValue {
            checkIndex(index)
            return DatabaseValue(arguments[index])
        }

        /// Whether an argument is NULL.
        ///
        /// - Precondition: There are that many arguments.
        public func isNull(at index: Int) -> Bool {
            checkIndex(index)
            return arguments[index].storage == .null
        }

        /// Lends the UTF-8 bytes of a text; nil if the argument is not text.
        ///
        /// SQLite does not validate text: the bytes can be invalid UTF-8, and contain zeros.
        ///
        /// - Precondition: There are that many arguments.
        public func withUTF8<T>(
            at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T
        ) rethrows -> T? {
            checkIndex(index)
            guard arguments[index].storage == .text else { return nil }
            return try body(arguments[index].textBytes)
        }

        /// Lends the bytes of a blob; nil if the argument is not a blob.
        ///
        /// - Precondition: There are that many arguments.
        public func withUnsafeBytes<T>(
            at index: Int, _ body: (UnsafeRawBufferPointer) throws -> T
        ) rethrows -> T? {
            checkIndex(index)
            guard arguments[index].storage == .blob else { return nil }
            return try body(arguments[index].blobBytes)
        }

        private func checkIndex(_ index: Int) {
            precondition(
                (0..<count).contains(index), "no argument \(index): the function has \(count)")
        }
    }
}

extension FunctionArguments {
    /// Copies of all arguments.
    var databaseValues: [DatabaseValue] {
        (0..<count).map { DatabaseValue(self[$0]) }
    }
}
