import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, Member.TableColumns
)

@Table struct URLCache { let id: Int }
@Table struct TOEFL { let id: Int }
@Table struct Category { let id: Int }
@Table struct Status { let id: Int }
@Table struct Box { let id: Int }
@Table struct Buzz { let id: Int }
@Table struct Boy { let id: Int }
@Table(naming: .singular) struct HTTPRequest { let id: Int }
@Table("notes", schema: "aux") struct Note { let id: Int; @Column("body_text") var text = "" }
@Table struct Named {
    static let tableName = "named_things"
    @Column(primaryKey: true) let key: String
    var value: Int?
    var doubled: Int { (value ?? 0) * 2 }
    static let count = 3
    var watched = 0 { didSet { value = oldValue } }
}
@Table struct Keyless {
    @Column(primaryKey: false) var id: Int
    var name = ""
}
@Table struct Optionally { let id: Int?; var name = "" }
@Table struct Columns10 {
    static var tableAlias: String? { "info" }
    static var tableFragment: QueryFragment { "pragma_table_info('traits')" }
    let cid: Int
    let name: String
}
@Table struct Inferred {
    let id: Int
    var text = ""
    var number = 1
    var real = 1.5
    var flag = true
    var none: Int? = nil
    var date = Date(timeIntervalSince1970: 0)
    var product = 60 * 5
    var constant = Self.epoch
    var optional = Optional("x")
    var color = Color.red
    static let epoch = Date(timeIntervalSince1970: 1)
}
enum Color: String, QueryBindable { case red, blue }
@Selection struct Pair { let name: String; @Ephemeral var isNew = true }
@Table(lazyColumns: .withoutDefault) struct Lazy {
    let id: Int
    var first: Int
    @Column(lazyInitializable: false) var second: Int
    var third = 1
}
final class Box2 {}
@Table struct NotSendable { let id: Int; @Ephemeral var box: Box2? = nil }

@Suite struct ShapeTests {
    @Test(.proves("TBL-014", "TBL-015", "TBL-016", "TBL-018"))
    func `the name of a table comes from the type, or is given`() {
        #expect(URLCache.tableName == "urlCaches" && TOEFL.tableName == "toefls")
        #expect(Category.tableName == "categories" && Status.tableName == "statuses")
        #expect(Box.tableName == "boxes" && Buzz.tableName == "buzzes" && Boy.tableName == "boys")
        #expect(HTTPRequest.tableName == "httpRequest")
        #expect(Note.tableName == "notes" && Note.schemaName == "aux" && Box.schemaName == nil)
        #expect(Named.tableName == "named_things")
        #expect(
            Named.all.debugSQL.hasSuffix(#"FROM "named_things""#))
        #expect(
            Note.select(\.text).debugSQL
                == #"SELECT "aux"."notes"."body_text" FROM "aux"."notes""#)
        let twice = Box.join(Box.all) { $0.id.eq($1.id) }
        #expect(twice.debugSQL.contains("\"boxes\" is joined twice; use 'as(_:)'"))
    }

    @Test(.proves("TBL-003", "TBL-019", "TBL-023"))
    func `stored properties are columns, and one of them may be the key`() {
        #expect(
            Named.all.debugSQL.hasPrefix(
                #"SELECT "named_things"."key", "named_things"."value", "named_things"."watched" "#))
        #expect(Named.find("a").debugSQL.hasSuffix(#"WHERE "named_things"."key" = 'a'"#))
        #expect(!(Keyless.self is any PrimaryKeyedTable.Type))
        #expect(Note.Draft(text: "x").text == "x")
        #expect(Note.text.queryFragment.description == #""aux"."notes"."body_text""#)
        let note = Note(id: 1, text: "a")
        #expect(
            Note.insert { note }.debugSQL
                == #"INSERT INTO "aux"."notes" ("id", "body_text") VALUES (1, 'a')"#)
    }

    @Test(.proves("TBL-001", "TBL-004"))
    func `a table has columns, a row of expressions, a decoder and a draft`() {
        #expect(Trait.columns.primaryKey.queryFragment.description == #""traits"."code""#)
        #expect(Trait.label.queryFragment.description == #""traits"."label""#)
        #expect(
            Trait.columns.queryFragment.description == #""traits"."code", "traits"."label""#)
        let fragment: QueryFragment = "\(Trait.self) \(Trait.columns) \(Trait.label)"
        #expect(
            fragment.description
                == #""traits" "traits"."code", "traits"."label" "traits"."label""#)
        let _: Trait.Selection = Trait.Columns(code: "a")
        let _: Trait.TableColumns = Trait.columns
        #expect(Trait.Draft().label == "")
    }

    @Test(.proves("TBL-006"))
    func `the default of a property may tell its type`() {
        let draft = Inferred.Draft()
        #expect(draft.optional == "x" && draft.color == .red && draft.product == 300)
        #expect(draft.constant == Inferred.epoch)
        #expect(
            Inferred.insert { draft }.debugSQL.hasSuffix(
                """
                VALUES ('', 1, 1.5, 1, NULL, '1970-01-01 00:00:00.000', 300, \
                '1970-01-01 00:00:01.000', 'x', 'red')
                """))
    }

    @Test(.proves("TBL-021"))
    func `a table may be a function of SQL under an alias`() throws {
        let library = try SeedLibrary()
        let names = try library.fetch(
            Columns10.select(\.name),
            #"SELECT "info"."name" FROM pragma_table_info('traits') AS "info""#)
        #expect(names == ["code", "label"])
    }

    @Test(.proves("TBL-013"))
    func `what is generated is Sendable, whatever the row is`() {
        func isSendable(_ value: some Sendable) {}
        isSendable(NotSendable.columns)
        isSendable(NotSendable.Columns(id: 1)._resultColumns)
        isSendable(NotSendable.all)
        isSendable(NotSendable.find(1))
    }

    @Test(.proves("TBL-022", "TBL-025", "TBL-027"))
    func `representations, computed columns and properties that are no columns`() throws {
        let library = try SeedLibrary()
        #expect(
            Member.where { $0.joined < Date(timeIntervalSince1970: 60) }.debugSQL
                .hasSuffix(#""members"."joined" < 60"#))
        let members = try library.queue.read { try Member.fetchAll($0) }
        #expect(members.map(\.joined) == [Date(timeIntervalSince1970: 0)])
        var packet = try #require(try library.queue.read { try Packet.find(1).fetchOne($0) })
        #expect(packet.seedsPerGram == 60 && !packet.isOpen)
        #expect(!Packet.update(packet).debugSQL.contains("seedsPerGram"))
        #expect(!Packet.upsert { packet }.debugSQL.contains("seedsPerGram"))
        #expect(!Packet.insert { packet }.debugSQL.contains("isOpen"))
        let same = packet
        packet.isOpen = true
        #expect(packet != same)
        let pair = try library.queue.read { db in
            try Taxon.find(1).select { Pair.Columns(name: $0.name) }.fetchOne(db)
        }
        #expect(pair?.name == "Solanaceae" && pair?.isNew == true)
    }

    @Test
    func `columns are extended by expressions, and rows by queries`() {
        #expect(
            Packet.where(\.isHeavy).debugSQL.hasSuffix(#"WHERE "packets"."grams" > 5.0"#))
        #expect(
            Packet.update { $0.seeds = 0 }.where { $0.isHeavy }.debugSQL
                .hasSuffix(#"WHERE "packets"."grams" > 5.0"#))
        #expect(Packet.stocked.debugSQL.hasSuffix(#"WHERE "packets"."seeds" > 0"#))
    }
}
