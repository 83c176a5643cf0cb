import Strongroom
import StrongroomCore
import StrongroomTestSupport

@testable import StrongroomSync

/// What apps write to the plain tables.
private struct PlainStatements {
    var random: SeededGenerator

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func key(_ table: String) -> String {
        "'\(table)\(Int.random(in: 0...4, using: &random))'"
    }

    private mutating func number(_ range: ClosedRange<Int>) -> String {
        "\(Int.random(in: range, using: &random))"
    }

    private mutating func value() -> String {
        random.pick(["NULL", "1", "2.5", "-0.0", "'a'", "'B'", "x'00ff'", "''", "x''", "9e999"])
    }

    private mutating func title() -> String { random.pick(["'a'", "'A'", "'b'", "'c'", "'é'"]) }

    private mutating func orNull(_ text: String) -> String { chance(40) ? "NULL" : text }

    private mutating func row(_ table: String) -> String {
        switch table {
        case "list":
            "\(key("list")), \(orNull(key("list"))), \(title()), \(number(0...9)), \(number(0...9))"
        case "tag": "\(key("tag")), \(title()), \(orNull(number(-3...3))), \(orNull("1"))"
        case "item":
            "\(key("item")), \(key("list")), \(orNull(key("tag"))), \(number(0...4)), \(number(3...9)), \(value())"
        case "note": "\(key("note")), \(key("item")), \(value())"
        default: "\(key("list")), \(title()), \(orNull(number(0...2)))"
        }
    }

    private mutating func edit(_ table: String) -> String {
        switch table {
        case "list":
            random.pick([
                "parent = \(orNull(key("list")))", "title = \(title())",
                "stars = stars + \(number(-3...5))",
                "best = \(number(0...20))", "title = 'x', stars = stars + 1",
            ])
        case "tag":
            random.pick([
                "title = \(title())", "shade = \(orNull(number(-3...3)))", "gone = \(orNull("1"))",
            ])
        case "item":
            random.pick([
                "list = \(key("list"))", "tag = \(orNull(key("tag")))", "low = \(number(0...4))",
                "high = \(number(3...9))", "data = \(value())", "id = \(key("item"))",
            ])
        case "note": random.pick(["item = \(key("item"))", "text = \(value())"])
        default: "seat = \(orNull(number(0...2)))"
        }
    }

    /// A statement, which may fail.
    mutating func statement() -> String {
        let table = random.pick(["list", "list", "tag", "item", "item", "note", "mark"])
        let id = table == "mark" ? "list" : "id"
        let name = table == "mark" ? "list" : table
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: return "INSERT INTO \(table) VALUES (\(row(table)))"
        case 40..<46: return "INSERT OR REPLACE INTO \(table) VALUES (\(row(table)))"
        case 46..<50: return "INSERT OR IGNORE INTO \(table) VALUES (\(row(table)))"
        case 50..<54:
            return "UPDATE OR REPLACE \(table) SET \(edit(table)) WHERE \(id) = \(key(name))"
        case 54..<85: return "UPDATE \(table) SET \(edit(table)) WHERE \(id) = \(key(name))"
        case 85..<87: return "UPDATE \(table) SET \(edit(table))"
        case 87..<90:
            return """
                DELETE FROM note WHERE item = \(key("item"));
                DELETE FROM item WHERE id = \(key("item")); INSERT INTO \(table) VALUES (\(row(table)))
                """
        case 90..<94:
            let tally = "'tally\(Int.random(in: 0...1, using: &random))'"
            let amount = number(-3...5)
            return """
                INSERT OR IGNORE INTO tally (id) VALUES (\(tally));
                UPDATE tally SET n = n + \(amount) WHERE id = \(tally);
                INSERT INTO payment VALUES ('$PAYMENT', \(tally), \(amount))
                """
        default: return "DELETE FROM \(table) WHERE \(id) = \(key(name))"
        }
    }
}

extension EngineSimulation {
    static func statement(_ random: inout SeededGenerator) -> String {
        var statements = PlainStatements(random: random)
        defer { random = statements.random }
        return statements.statement()
    }

    /// A statement of the app. `$PAYMENT` becomes the key of a payment, which no other has.
    func statement() -> String {
        let text = world.statement(&random)
        guard text.contains("$PAYMENT") else { return text }
        paymentCount += 1
        return text.replacing("$PAYMENT", with: "p\(paymentCount)")
    }
}

extension EngineSimulation {
    /// SQLite asks the clock of the simulation when it takes notes, and its generator for tokens.
    func setClock(of fixture: EngineFixture, skew: Int64) throws {
        let (time, tokens) = (time, tokens)
        try fixture.queue.write { db in
            db.add(
                function: DatabaseFunction("julianday", argumentCount: 0) { _ in
                    NoteTime.julianDay(milliseconds: time.withLock { $0 } + skew)
                })
            db.add(
                function: DatabaseFunction("random", argumentCount: 0) { _ in
                    tokens.withLock { Int64(bitPattern: $0.next()) }
                })
        }
    }
}
