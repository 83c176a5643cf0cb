import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns
)

@Suite struct DecodingExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `values of all types are read as they were written`() throws {
        try library.check(
            Values(Data(), [UInt8]([0, 255]), "", -0.0, UInt8.max, Int64.min, true, Float(0.5)),
            "SELECT X'', X'00ff', '', -0.0, 255, -9223372036854775808, 1, 0.5",
            [[.hex(""), .hex("00ff"), "", -0.0, 255, -9223372036854775808, 1, 0.5]])
    }

    @Test
    func `dates are texts`() throws {
        try library.check(
            Values(
                day("2026-03-01"), Date(timeIntervalSince1970: 0.25),
                Date(timeIntervalSince1970: -1)),
            """
            SELECT '2026-03-01 00:00:00.000', '1970-01-01 00:00:00.250', '1969-12-31 \
            23:59:59.000'
            """,
            [
                ["2026-03-01 00:00:00.000", "1970-01-01 00:00:00.250", "1969-12-31 23:59:59.000"]
            ])
    }

    @Test
    func `bytes and dates are read`() throws {
        try library.check(
            Loan.find(1).select { ($0.ticket, $0.takenAt) },
            "SELECT `loans`.`ticket`, `loans`.`takenAt` FROM `loans` WHERE `loans`.`id` = 1",
            [[.hex("00000000000040008000000000000001"), "2025-03-01 10:00:00.000"]])
    }

    @Test
    func `ids are bytes`() throws {
        try library.check(
            Loan.find(1).update { $0.ticket = ticket(300) },
            """
            UPDATE `loans` SET `ticket` = X'0000000000004000800000000000012c' WHERE `loans`.`id` \
            = 1
            """,
            [],
            after: "SELECT `ticket` FROM `loans` WHERE `id` = 1",
            [[.hex("0000000000004000800000000000012c")]])
    }

    @Test
    func `DEC-007`() throws {
        try library.check(
            Member.insert {
                Member.Draft(
                    name: "Hana", email: nil, joined: day("2026-03-01"),
                    address: Address(city: "Žilina", lines: ["A/1"], zip: nil))
            }.returning { ($0.id, $0.address, $0.role) },
            """
            INSERT INTO `members` (`name`, `email`, `sponsorID`, `role`, `joined`, `leftOn`, \
            `address`, `points`) VALUES ('Hana', NULL, NULL, 'grower', 2461100.5, NULL, \
            jsonb('{`city`:`Žilina`,`lines`:[`A/1`]}'), 0) RETURNING `id`, json(`address`), \
            `role`
            """,
            [[9, "{\"city\":\"Žilina\",\"lines\":[\"A/1\"]}", "grower"]])
    }

    @Test
    func `a raw value without case is an error`() throws {
        try library.check(
            Taxon.find(1),
            """
            SELECT `taxons`.`id`, `taxons`.`name`, `taxons`.`rank`, `taxons`.`parentID` FROM \
            `taxons` WHERE `taxons`.`id` = 1
            """,
            error: "could not decode Taxon.rank: no case for \"kingdom\"",
            setup: ["UPDATE `taxons` SET `rank` = 'kingdom' WHERE `id` = 1"])
    }

    @Test
    func `storage classes are checked`() throws {
        try library.check(
            Packet.find(3),
            """
            SELECT `packets`.`id`, `packets`.`varietyID`, `packets`.`seeds`, `packets`.`grams`, \
            `packets`.`harvestYear`, `packets`.`shelf`, `packets`.`box`, `packets`.`sown`, \
            `packets`.`sprouted`, `packets`.`testedAt`, `packets`.`seedsPerGram`, \
            `packets`.`createdAt` FROM `packets` WHERE `packets`.`id` = 3
            """,
            error: "could not decode Packet.seeds: column 2 \"seeds\" is TEXT",
            setup: ["UPDATE `packets` SET `seeds` = 'many' WHERE `id` = 3"])
    }

    @Test
    func `NULL is an error where it is not allowed`() throws {
        try library.check(
            #sql("SELECT NULL AS code, 'x' AS label", as: Trait.self),
            "SELECT NULL AS code, 'x' AS label",
            error: "could not decode Trait.code: column 0 \"code\" is NULL")
    }

    @Test
    func `no row differs from NULL`() throws {
        try library.check(
            Packet.find(2).select(\.grams),
            "SELECT `packets`.`grams` FROM `packets` WHERE `packets`.`id` = 2",
            [[nil]])
    }

    @Test(.proves("LIT-022"))
    func `SQL is read by names`() throws {
        try library.check(
            #sql("SELECT label, code FROM traits WHERE code = 'hot'", as: Trait.self),
            "SELECT label, code FROM traits WHERE code = 'hot'",
            [["Hot 🌶", "hot"]])
        try library.check(
            #sql("SELECT code FROM traits", as: Trait.self),
            "SELECT code FROM traits",
            error: "the result has no column \"label\" for Trait.label")
    }
}
