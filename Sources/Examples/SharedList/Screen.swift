/// What was shown last: numbers that are typed mean its lines.
actor Screen {
    private var items: [Item] = []

    struct NoSuchItem: Error, CustomStringConvertible {
        let description: String
    }

    func show(_ items: [Item]) {
        self.items = items
        let lines = items.enumerated().map { index, item in
            "\(index + 1) [\(item.isDone ? "x" : " ")] \(item.title)\n"
        }
        write("\n\(lines.joined())\(items.filter { !$0.isDone }.count) open\n")
    }

    func item(_ number: Int) throws -> Item {
        guard items.indices.contains(number - 1) else {
            throw NoSuchItem(description: "there is no line \(number)")
        }
        return items[number - 1]
    }
}
