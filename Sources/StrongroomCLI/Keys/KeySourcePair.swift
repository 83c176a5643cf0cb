/// The sources of the current key and of the new one.
struct KeySourcePair {
    let current: KeySource
    let new: KeySource?

    init(_ options: KeyOptions, in arguments: ParsedArguments) throws(Failure) {
        current = try KeyOptions.current.source(in: arguments)
        new = try options.optionalSource(in: arguments)
        // A descriptor or a variable gives its key once.
        if let new, new == current, new != .terminal {
            throw .usage(
                "the new key and the current key come from the same source",
                hint: "name another source for the new key")
        }
    }
}
