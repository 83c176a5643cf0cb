/// Who looks after a package: `Debian Adduser Developers <adduser@packages.debian.org>`.
struct Maintainer: Equatable {
    var name: String
    /// Empty where none is given.
    var address: String

    init(name: String, address: String = "") {
        self.name = name
        self.address = address
    }

    init(parsing text: String) {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else {
            self.init(name: text.trimmed)
            return
        }
        let name = text[..<open].trimmed
        let address = text[text.index(after: open)...].dropLast().trimmed
        self.init(name: name.isEmpty ? address : name, address: address)
    }
}
