/// Names in `snake_case`, and back in `camelCase`, as `JSONEncoder` and `JSONDecoder` have them.
enum SnakeCase {
    /// `my_url_property` for `myURLProperty`.
    static func from(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase, characters[index - 1] != "_" {
                // Of several capitals in a row, only the last one may begin a word.
                let followsCapital = characters[index - 1].isUppercase
                let precedesSmall =
                    index + 1 < characters.count && characters[index + 1].isLowercase
                if !followsCapital || precedesSmall { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }

    /// `myUrlProperty` for `my_url_property`. Underscores at both ends stay.
    static func camelCase(of name: String) -> String {
        let leading = name.prefix { $0 == "_" }
        let trailing = String(name.reversed().prefix { $0 == "_" })
        guard leading.count < name.count else { return name }
        let words = name.split(separator: "_")
        guard words.count > 1 else { return name }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return leading + words[0].lowercased() + rest.joined() + trailing
    }
}
