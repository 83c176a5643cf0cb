internal import Foundation

extension DatabaseValue {
    /// Copies an argument of a custom function, straight from where SQLite keeps it.
    package init(_ arguments: FunctionArguments, _ index: Int) {
        switch arguments.storage(index) {
        case .null: self.init(storage: .null)
        case .integer: self.init(storage: .int64(arguments.int64(index)))
        case .real: self.init(storage: .double(arguments.double(index)))
        case .text: self.init(storage: .string(arguments.string(index)))
        case .blob: self.init(storage: .blob(Data(arguments.blobBytes(index))))
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
