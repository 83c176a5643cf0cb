import Strongroom

/// A row of the table `item`: short and long text, integers, doubles, NULLs.
struct Item {
    static let columns = "id, name, category, quantity, price, weight, updated, note"

    var id: Int64
    var name: String
    var category: String
    var quantity: Int
    var price: Double
    var weight: Double?
    var updated: Int64
    var note: String?

    /// By position, in the order of `columns`.
    init(positionsOf row: Row) {
        id = row[0]
        name = row[1]
        category = row[2]
        quantity = row[3]
        price = row[4]
        weight = row[5]
        updated = row[6]
        note = row[7]
    }

    init(namesOf row: Row) {
        id = row["id"]
        name = row["name"]
        category = row["category"]
        quantity = row["quantity"]
        price = row["price"]
        weight = row["weight"]
        updated = row["updated"]
        note = row["note"]
    }

    init(_ statement: CStatement) {
        id = statement.int64(0)
        name = statement.text(1)
        category = statement.text(2)
        quantity = Int(statement.int64(3))
        price = statement.double(4)
        weight = statement.isNull(5) ? nil : statement.double(5)
        updated = statement.int64(6)
        note = statement.isNull(7) ? nil : statement.text(7)
    }

    init(
        id: Int64, name: String, category: String, quantity: Int, price: Double,
        weight: Double?, updated: Int64, note: String?
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.quantity = quantity
        self.price = price
        self.weight = weight
        self.updated = updated
        self.note = note
    }

    static func random(id: Int64, using random: inout SeededGenerator) -> Item {
        let categories = ["tools", "garden", "kitchen", "books", "lighting and lamps"]
        let number = Int.random(in: 1...1_000_000, using: &random)
        return Item(
            id: id,
            name: "Item \(number)",
            category: categories[number % categories.count],
            quantity: Int.random(in: 0...5000, using: &random),
            price: Double(number) / 100,
            weight: number.isMultiple(of: 3) ? nil : Double(number % 977) / 8,
            updated: 1_700_000_000 + Int64(number),
            note: number.isMultiple(of: 2) ? nil : "to be counted again by shelf \(number % 500)")
    }

    func add(to digest: inout Digest) {
        digest.add(id)
        digest.add(name)
        digest.add(category)
        digest.add(Int64(quantity))
        digest.add(price)
        weight.map { digest.add($0) } ?? digest.addNull()
        digest.add(updated)
        note.map { digest.add($0) } ?? digest.addNull()
    }
}

extension Array<Item> {
    var digest: UInt64 {
        var digest = Digest()
        forEach { $0.add(to: &digest) }
        return digest.value
    }
}
