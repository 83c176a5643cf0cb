internal import StrongroomEssentials

extension DatabaseValue {
    /// Copies a cell or an argument, straight from where SQLite keeps it.
    package init(_ value: LiveValue) {
        switch value.storage {
        case .null: self.init(storage: .null)
        case .integer: self.init(storage: .int64(value.int64))
        case .real: self.init(storage: .double(value.double))
        case .text: self.init(storage: .string(String(decoding: value.textBytes, as: UTF8.self)))
        case .blob: self.init(storage: .blob(Data(value.blobBytes)))
        }
    }

    /// Makes the value the result of a custom function.
    package func set(as result: borrowing FunctionResult) {
        switch storage {
        case .null: result.setNull()
        case .int64(let int64): result.set(int64)
        case .double(let double): result.set(double)
        case .string(let string): result.set(string)
        case .blob(let data): data.withUnsafeBytes { result.set($0) }
        }
    }
}
