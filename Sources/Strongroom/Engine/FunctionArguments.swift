/// The arguments of one call of a custom function, where SQLite keeps them.
package struct FunctionArguments {
    private let values: UnsafeBufferPointer<OpaquePointer?>

    init(count: CInt, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.values = UnsafeBufferPointer(start: values, count: Int(count))
    }

    package var count: Int { values.count }

    package subscript(index: Int) -> LiveValue { LiveValue(values[index]) }
}
