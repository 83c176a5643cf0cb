import Foundation
import StrongroomTables
import StrongroomTestSupport

/// Records and rows by chance.
struct RandomRecords {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static let plainExample: Simple = {
        var random = Self(seed: 1); return random.plain()
    }()
    static let chosenExample: Chosen = {
        var random = Self(seed: 1); return random.chosen()
    }()

    private mutating func maybe<T>(_ make: (inout Self) -> T) -> T? {
        Bool.random(using: &random) ? make(&self) : nil
    }

    private mutating func text() -> String {
        ["", "a", "Grüße", "it's \"x\"", "12", "x\u{0}y"].randomElement(using: &random)!
    }

    private mutating func date() -> Date {
        Date(
            timeIntervalSince1970: Double(
                Int.random(in: -9_999_999_999...9_999_999_999, using: &random)) / 8)
    }

    private mutating func uuid() -> UUID {
        let high = random.next(), low = random.next()
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private mutating func data() -> Data {
        [Data(), Data("text".utf8), Data([0xFF, 0]), Data([1])].randomElement(using: &random)!
    }

    private mutating func address() -> PostalAddress {
        PostalAddress(street: text(), number: maybe { $0.integer() })
    }

    private mutating func integer() -> Int {
        [0, 1, -1, 2, 300, Int.max, Int.min].randomElement(using: &random)!
    }

    mutating func plain() -> Simple {
        Simple(
            id: maybe { Int64($0.integer()) }, name: text(), note: maybe { $0.text() },
            count: integer(), small: Int8.random(in: .min ... .max, using: &random),
            byte: maybe { UInt8.random(in: 0...255, using: &$0.random) },
            wide: UInt64.random(in: 0...UInt64(Int64.max), using: &random),
            isOpen: Bool.random(using: &random), isNew: maybe { Bool.random(using: &$0.random) },
            price: [0, -0.5, 1e300, 12].randomElement(using: &random)!,
            weight: maybe { _ in 0.25 }, default: maybe { Decimal($0.integer()) / 8 },
            link: maybe { _ in URL(string: "https://example.org/a?b=c")! },
            level: [.low, .high].randomElement(using: &random)!, other: maybe { _ in .high })
    }

    mutating func rich() -> Rich {
        Rich(
            at: date(), due: maybe { $0.date() }, bytes: data(), more: maybe { $0.data() },
            key: uuid(), parent: maybe { $0.uuid() }, medal: maybe { _ in .gold },
            medals: [.silver, .gold], address: address(), second: maybe { $0.address() },
            tag: Sticker(name: text()), maybe: maybe { Sticker(name: $0.text()) },
            scores: [text(): 3],
            list: maybe { [nil, $0.integer()] })
    }

    mutating func chosen() -> Chosen {
        Chosen(
            takenAt: date(), dueAt: maybe { $0.date() }, rawBytes: data(), ownKey: uuid(),
            parentKey: maybe { $0.uuid() }, homeAddress: address(),
            allTags: maybe { [Sticker(name: $0.text())] })
    }

    private mutating func value() -> DatabaseValue {
        let texts = [
            "", "a", "12", "1.5", "gold", "[\"gold\"]", "[1,null]", "{\"street\":\"s\"}",
            "{\"street\":\"s\",\"number\":4}", "{\"a\":1}", "null", "2026-11-26 01:02:03.456",
            "2026-11-26T01:02:03Z", "2026-11-26", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            "https://example.org", "[",
        ]
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .null
        case 1, 2:
            return [0, 1, 2, -1, 300, Int64.max, Int64.min].randomElement(using: &random)!
                .databaseValue
        case 3: return [0.5, -1, 1e19, 1e300].randomElement(using: &random)!.databaseValue
        case 4: return data().databaseValue
        case 5: return uuid().databaseValue
        default: return texts.randomElement(using: &random)!.databaseValue
        }
    }

    /// A row in which most columns suit, and some have anything or are missing.
    mutating func select(_ columns: [String]) -> (String, StatementArguments) {
        var terms: [String] = []
        var values: [DatabaseValue] = []
        for column in columns.shuffled(using: &random) {
            let chance = Int.random(in: 0..<24, using: &random)
            if chance == 0 { continue }
            let name = chance == 1 ? column.uppercased() : column
            terms.append("? AS \(name.quotedDatabaseIdentifier)")
            values.append(chance < 4 ? value() : suitable(column))
        }
        return (
            "SELECT " + (terms.isEmpty ? "1 AS nothing" : terms.joined(separator: ", ")),
            StatementArguments(values)
        )
    }

    private mutating func suitable(_ column: String) -> DatabaseValue {
        let address = "{\"street\":\"s\",\"number\":4}"
        switch column {
        case "id", "count", "small", "byte", "wide", "isOpen", "isNew", "level", "other",
            "taken_at":
            return Int.random(in: 1...2, using: &random).databaseValue
        case "price", "weight", "default": return 1.5.databaseValue
        case "link": return "https://example.org".databaseValue
        case "at", "due": return "2026-11-26 01:02:03.456".databaseValue
        case "due_at": return "2026-11-26T01:02:03Z".databaseValue
        case "bytes", "more": return data().databaseValue
        case "key", "parent", "own_key": return uuid().databaseValue
        case "parent_key": return uuid().uuidString.databaseValue
        case "medal": return "gold".databaseValue
        case "medals": return "[\"gold\",\"silver\"]".databaseValue
        case "address", "second", "home_address": return address.databaseValue
        case "scores": return "{\"a\":1}".databaseValue
        case "list": return "[1,null]".databaseValue
        case "all_tags": return "[\"a\"]".databaseValue
        default: return text().databaseValue
        }
    }
}
