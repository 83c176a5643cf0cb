/// Options that a person has typed, as hints repeat them; each begins with a space, and is empty if
/// nothing was typed.
struct TypedOptions {
    let key: String
    let oldKey: String
    let settings: String

    init(_ arguments: ParsedArguments, key: KeyOptions, settings: DatabaseSettings) {
        self.key = key.typed(in: arguments)
        oldKey = KeyOptions.old.typed(in: arguments)
        self.settings = settings.typed
    }

    /// The key, or a place for one.
    var keyOrPlace: String { key.isEmpty ? " --key-file KEY" : key }
}

extension KeyOptions {
    /// ` --key-file shop.key`
    fileprivate func typed(in arguments: ParsedArguments) -> String {
        group.options.filter { arguments.contains($0) }.map { option in
            let value = option.takesValue ? arguments.value(option) : nil
            return " --\(option.name)" + (value.map { " " + ShellWord.text($0) } ?? "")
        }.joined()
    }
}
