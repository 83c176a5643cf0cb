/// A function of SQL, as far as its text is to be written.
package struct FunctionDescription: Sendable {
    /// What the call of the function in SQL is made of.
    struct Argument {
        var label: String?
        /// The type in Swift.
        var type: String
        /// The type by which the argument is stored.
        var representation: String
        var defaultValue: String?
    }

    enum Form {
        case scalar, property
        /// A function of a sequence, whose parameter has the label.
        case sequence(label: String?)
        case aggregate, window
    }

    var form: Form
    var name: String
    var sqlName: String
    var declaration: FunctionDeclaration
    var arguments: [Argument]
    /// The type by which the result is stored; nil for nothing.
    var result: String?
    var isDeterministic = false
    var isDirectOnly = false

    func method(_ name: String) -> FunctionDeclaration? {
        declaration.methods.first { $0.name.text == name }
    }
}
