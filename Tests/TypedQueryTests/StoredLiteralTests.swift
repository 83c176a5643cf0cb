import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = JournalTables

@Suite struct StoredLiteralTests {
    private static let texts = [
        "", "it's", "''", "\"", "a\0b", "\0", "?1 :x @y $z", "--", "/* */", "; END; DROP TABLE x;",
        "🌺\n\\",
    ]
    private static let numbers = [
        0.1, -0.0, .infinity, -.infinity, .nan, 1e300, 0x1p-1074, .greatestFiniteMagnitude, -1.5,
    ]
    private static let bytes = [Data(), Data([0, 39, 255]), Data("'; --".utf8)]

    @Test("A trigger keeps each text, number and blob", .proves("TRG-019", "CAN-006"))
    func triggers() throws {
        let journal = try Journal()
        for (id, text) in Self.texts.enumerated() {
            try check(journal, id + 10) {
                LogLine.insert {
                    $0.text
                } values: {
                    text
                }
            }
            let found = try journal.queue.write { db in
                try LogLine.where { $0.text.eq(text) }.select(\.text).fetchAll(db)
            }
            #expect(found == [text])
        }
        for (id, number) in Self.numbers.enumerated() {
            try check(journal, id + 50) {
                LogLine.insert {
                    $0.number
                } values: {
                    number
                }
            }
            let last = try journal.queue.read {
                try LogLine.order { $0.id.desc() }.select(\.number).fetchOne($0) ?? nil
            }
            #expect(number.isNaN ? last == nil : last == number, "\(number)")
        }
        for (id, data) in Self.bytes.enumerated() {
            try check(journal, id + 90) {
                LogLine.insert {
                    $0.data
                } values: {
                    data
                }
            }
            let last = try journal.queue.read {
                try LogLine.order { $0.id.desc() }.select(\.data).fetchOne($0) ?? nil
            }
            #expect(last == data)
        }
    }

    private func check(_ journal: Journal, _ id: Int, _ step: () -> Insert<LogLine>) throws {
        let step = step()
        let trigger = Leaf.createTrigger("keep", after: .insert { _ in step })
        #expect(trigger.query.prepare { "?\($0)" }.bindings.isEmpty)
        try journal.run(trigger)
        try journal.add(id)
        try journal.run(trigger.drop())
    }

    @Test("A view and an index keep values, too", .proves("TRG-019", "CAN-010"))
    func viewsAndIndexes() throws {
        let journal = try Journal()
        for (number, text) in Self.texts.enumerated() {
            let view = HighPage.createView(
                as: Leaf.where { $0.id.eq(1) }.select { _ in HighPage.Columns(id: 1, text: text) })
            #expect(view.query.prepare { "?\($0)" }.bindings.isEmpty)
            try journal.run(view)
            #expect(
                try journal.queue.read { try HighPage.fetchAll($0) } == [
                    HighPage(id: 1, text: text)
                ])
            try journal.run(view.drop())
            // The row that the condition of a unique index leaves out is there twice.
            let index = LogLine.createIndex(
                "i\(number)", on: { $0.pageID }, unique: true, where: { $0.text.eq(text) })
            #expect(index.query.prepare { "?\($0)" }.bindings.isEmpty)
            let line = LogLine.insert {
                ($0.pageID, $0.text)
            } values: {
                (number, text)
            }
            try journal.run(index, line)
            #expect(journal.refusal(line).contains("UNIQUE constraint failed"), "\(text)")
        }
    }
}
