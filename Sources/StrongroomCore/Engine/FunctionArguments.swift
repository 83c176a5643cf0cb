/// The arguments of one call of a custom function, where SQLite keeps them.
// Safety: SQLite gives so many values, for the time of the call; who keeps them longer is told not
// to.
@safe package struct FunctionArguments {
    private let values: UnsafeBufferPointer<OpaquePointer?>

    init(count: CInt, values: UnsafeMutablePointer<OpaquePointer?>?) {
        unsafe self.values = UnsafeBufferPointer(start: values, count: Int(count))
    }

    package var count: Int { unsafe values.count }

    package subscript(index: Int) -> LiveValue { unsafe LiveValue(values[index]) }
}
