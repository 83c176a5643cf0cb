import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, VarietyTrait.TableColumns
)

@DatabaseFunction private func label(_ trait: Trait?) -> String { trait?.label ?? "none" }
@DatabaseFunction private func draftName(_ taxon: Taxon.Draft) -> String {
    "\(taxon.id.map(String.init) ?? "new") \(taxon.name)"
}
@DatabaseFunction private func position(_ place: Place) -> String { "\(place.shelf)\(place.box)" }
@DatabaseFunction private func both(_ number: Int8, _ trait: Trait, note: String? = nil) -> String {
    "\(number) \(trait.code) \(note ?? "-")"
}

@Suite struct OwnFunctionRowTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db throws in
            db.add(function: $label)
            db.add(function: $draftName)
            db.add(function: $position)
            db.add(function: $both)
        }
    }

    private func error(_ sql: String) throws -> String? {
        try library.queue.read { db throws in
            try #require(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }.message
        }
    }

    @Test(.proves("FNC-007"))
    func `a row is one argument`() throws {
        try library.check(
            Packet.where { $0.id < 3 }.order(by: \.id).select { $position($0.place) },
            """
            SELECT `position`(`packets`.`shelf`, `packets`.`box`) FROM `packets` WHERE \
            `packets`.`id` < 3 ORDER BY `packets`.`id`
            """, [["A1"], ["A1"]])
        try library.check(
            Values($position(Place.Columns(shelf: "X", box: #sql("1 + 2")))),
            "SELECT `position`('X', 1 + 2)", [["X3"]])
        try library.check(
            Values($position(Place(shelf: "Y", box: 9))), "SELECT `position`('Y', 9)", [["Y9"]])
        try library.check(
            Values($draftName(Taxon.Draft(id: 3, name: "Rosa"))),
            "SELECT `draftName`(3, 'Rosa', 'species', NULL)", [["3 Rosa"]])
        try library.check(
            Values($both(1, Trait(code: "c", label: "l"), note: "n")),
            "SELECT `both`(1, 'c', 'l', 'n')", [["1 c n"]])
    }

    @Test(.proves("FNC-007"))
    func `a row that is missing is nil`() throws {
        try library.check(
            Trait.where { $0.code.in(["hot", "odd"]) }.order(by: \.code)
                .leftJoin(VarietyTrait.all) { $0.code.eq($1.traitCode) && $0.code.neq("hot") }
                .select { $label($0) },
            """
            SELECT `label`(`traits`.`code`, `traits`.`label`) FROM `traits` LEFT JOIN \
            `varietiesTraits` ON `traits`.`code` = `varietiesTraits`.`traitCode` AND \
            `traits`.`code` <> 'hot' WHERE `traits`.`code` IN ('hot', 'odd') ORDER BY \
            `traits`.`code`
            """, [["Hot 🌶"], ["50% off_type"]])
        try library.check(
            VarietyTrait.where { $0.traitCode.eq("hot") }
                .leftJoin(Trait.all) { $1.code.eq($0.traitCode) && $1.label.eq("?") }.limit(1)
                .select { $label($1) },
            """
            SELECT `label`(`traits`.`code`, `traits`.`label`) FROM `varietiesTraits` LEFT JOIN \
            `traits` ON `traits`.`code` = `varietiesTraits`.`traitCode` AND `traits`.`label` = \
            '?' WHERE `varietiesTraits`.`traitCode` = 'hot' LIMIT 1
            """, [["none"]])
        try library.check(
            Values($label(nil)), "SELECT `label`(NULL, NULL)", [["none"]])
    }

    @Test(
        .proves("FNC-008"),
        arguments: [
            ("both(NULL, 'c', 'l', NULL)", "argument 1 of both() is NULL"),
            ("both(1, 'c', NULL, NULL)", "argument 2 (\"label\") of both() is NULL"),
            ("both(1, 'c', 5, NULL)", "argument 2 (\"label\") of both() is INTEGER"),
            ("both('x', 'c', 'l', NULL)", "argument 1 of both() is TEXT"),
            ("both(1.5, 'c', 'l', NULL)", "argument 1 of both() is REAL"),
            ("both(1, 'c', 'l', x'00')", "argument 3 of both() is BLOB"),
            ("label('c', NULL)", "argument 1 (\"label\") of label() is NULL"),
            ("draftName(1, 'n', 'kingdom', NULL)", "argument 1 (\"rank\") of draftName(): "),
            ("draftName(NULL, 'n', 'genus', 1)", "argument 1 (\"id\") of draftName() is NULL"),
            ("both(300, 'c', 'l', NULL)", "argument 1 of both(): "),
            ("both(1)", "wrong number of arguments to function both()"),
        ])
    func `an argument that the function does not take is an error`(
        call: String, message: String
    ) throws {
        let found = try error("SELECT \(call)") ?? ""
        #expect(found.hasPrefix(message), "\(found)")
        // A message that goes on says what is wrong with the value.
        #expect(found == message || message.hasSuffix(": ") && found.count > message.count)
    }
}
