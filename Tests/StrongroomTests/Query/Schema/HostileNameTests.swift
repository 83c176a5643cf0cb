import Strongroom
import StrongroomTestSupport
import Testing

/// Names that would be something else without quotes.
@Suite struct HostileNameTests {
    static let names = [
        "order", "two words", "a\"b", "'; DROP TABLE safe; --", "[x]", "`", "été", "?", ":a", "a.b",
        "1", "\u{1F600}", ")", "sélect\n", "%", "_",
    ]

    @Test(.proves("SCH-008"), arguments: names)
    func `Any name is good for tables, columns, indexes and views`(name: String) throws {
        let schema = try SchemaFixture()
        try schema.queue.write { db throws in
            try db.create(table: "safe") { $0.column("a") }
            try db.create(table: name) { t in
                t.primaryKey(name, .text).check { $0 != "it's" }
                t.column("\(name)2").references(name).indexed()
                t.belongsTo("x\(name)", inTable: name).unique()
                t.uniqueKey(["\(name)2", name])
                t.foreignKey(["\(name)2"], references: name, columns: [name])
                t.check(Column(name) != Column("\(name)2"))
                t.column("\(name)3").generatedAs(Column(name))
            }
            try db.create(table: "\(name)4") { t in
                t.belongsTo(name, inTable: name)
                t.primaryKey { t.column(name) }
            }
            try db.create(
                index: "\(name)5", on: name, columns: [name], condition: Column(name) != name)
            try db.create(indexOn: "\(name)4", columns: [name])
            try db.create(view: "\(name)6", columns: [name], as: Table(name).select(Column(name)))
            try db.alter(table: name) { t in
                t.add(column: "\(name)7")
                t.rename(column: "\(name)7", to: "\(name)8")
                t.drop(column: "\(name)8")
            }
            try db.execute(
                literal: "INSERT INTO \(identifier: name)(\(Column(name))) VALUES (\(name))")
            #expect(
                try String.fetchAll(db, Table("\(name)6").select(Column(name))) == [name])
            #expect(try db.indexes(on: name).contains { $0.columns == ["\(name)2"] })
            try db.drop(view: "\(name)6")
            try db.drop(index: "\(name)5")
            try db.drop(indexOn: "\(name)4", columns: [name])
            try db.rename(table: name, to: "\(name)9")
            try db.drop(table: "\(name)4")
            try db.drop(table: "\(name)9")
            #expect(try db.tableExists("safe"))
        }
    }
}
