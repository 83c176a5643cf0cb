import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Member.TableColumns, ActiveMember.TableColumns, Loan.TableColumns,
    Trait.TableColumns
)

@Suite struct AliasExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a table has another name`() throws {
        try library.check(
            Member.join(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }.where { m, s in
                s.leftOn.is(nil)
            }.order { m, _ in m.id }.select { ($0.name, $1.name) },
            """
            SELECT `members`.`name`, `sponsors`.`name` FROM `members` JOIN `members` AS \
            `sponsors` ON `members`.`sponsorID` = `sponsors`.`id` WHERE `sponsors`.`leftOn` IS \
            NULL ORDER BY `members`.`id`
            """,
            [
                ["Bo O'Hara", "Ada Lindqvist"], ["Chidi", "Ada Lindqvist"],
                ["Dörte \"Dee\" Maß", "Bo O'Hara"], ["Emi 🌱", "Bo O'Hara"], ["Farid", "Chidi"],
                ["Grete", "Chidi"],
            ])
        try library.check(
            Variety.join(Variety.as(Twin.self).all) {
                $0.name.collate(.nocase).eq($1.name) && $0.id < $1.id
            }.where { a, b in a.taxonID.eq(b.taxonID) }.order { a, _ in a.name }.limit(5).select {
                a, b in (a.name, b.name)
            },
            """
            SELECT `varieties`.`name`, `twins`.`name` FROM `varieties` JOIN `varieties` AS \
            `twins` ON (`varieties`.`name` COLLATE `NOCASE`) = `twins`.`name` AND \
            `varieties`.`id` < `twins`.`id` WHERE `varieties`.`taxonID` = `twins`.`taxonID` \
            ORDER BY `varieties`.`name` LIMIT 5
            """,
            [["Rosa Bianca", "rosa bianca"]])
    }

    @Test
    func `what changes rows takes another name`() throws {
        try library.check(
            Member.as(Sponsor.self).where { $0.points > 20 }.update { $0.points -= 20 },
            """
            UPDATE `members` AS `sponsors` SET `points` = `sponsors`.`points` - 20 WHERE \
            `sponsors`.`points` > 20
            """,
            [],
            after: "SELECT `id`, `points` FROM `members` WHERE `points` > 0 ORDER BY `id`",
            [[1, 20], [2, 15], [3, 15], [4, 5], [6, 2]])
        try library.check(
            Trait.as(Old.self).find("odd").delete(),
            "DELETE FROM `traits` AS `olds` WHERE `olds`.`code` = 'odd'",
            [],
            after: "SELECT count(*) FROM `traits`",
            [[6]])
    }

    @Test(.proves("TQS-042"))
    func `a table under another name gives plain rows`() throws {
        try library.check(
            Member.leftJoin(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }.where { m, _ in
                m.id < 3
            }.order { m, _ in m.id }.select { Sponsored.Columns(member: $0, sponsor: $1) },
            """
            SELECT `members`.`id` AS `id`, `members`.`name` AS `name`, `members`.`email` AS \
            `email`, `members`.`sponsorID` AS `sponsorID`, `members`.`role` AS `role`, \
            `members`.`joined` AS `joined`, `members`.`leftOn` AS `leftOn`, \
            json(`members`.`address`) AS `address`, `members`.`points` AS `points`, \
            `sponsors`.`id` AS `sponsor_id`, `sponsors`.`name` AS `sponsor_name`, \
            `sponsors`.`email` AS `sponsor_email`, `sponsors`.`sponsorID` AS \
            `sponsor_sponsorID`, `sponsors`.`role` AS `sponsor_role`, `sponsors`.`joined` AS \
            `sponsor_joined`, `sponsors`.`leftOn` AS `sponsor_leftOn`, \
            json(`sponsors`.`address`) AS `sponsor_address`, `sponsors`.`points` AS \
            `sponsor_points` FROM `members` LEFT JOIN `members` AS `sponsors` ON \
            `members`.`sponsorID` = `sponsors`.`id` WHERE `members`.`id` < 3 ORDER BY \
            `members`.`id`
            """,
            [
                [
                    1, "Ada Lindqvist", "ada@seeds.example", nil, "steward", 2459580.5, nil,
                    "{\"city\":\"Lund\",\"lines\":[\"Storgatan 1\"],\"zip\":\"22222\"}", 40, nil,
                    nil, nil, nil, nil, nil, nil, nil, nil,
                ],
                [
                    2, "Bo O'Hara", "bo@seeds.example", 1, "grower", 2459700.5, nil,
                    "{\"city\":\"Cork\",\"lines\":[\"2 Quay St\",\"Flat 3\"]}", 15, 1,
                    "Ada Lindqvist", "ada@seeds.example", nil, "steward", 2459580.5, nil,
                    "{\"city\":\"Lund\",\"lines\":[\"Storgatan 1\"],\"zip\":\"22222\"}", 40,
                ],
            ])
        let pairs: [(Member, Member)] = try library.queue.read {
            try Member.join(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }
                .order { m, _ in m.id }.limit(1).fetchAll($0)
        }
        #expect(pairs.map { [$0.0.name, $0.1.name] } == [["Bo O'Hara", "Ada Lindqvist"]])
    }

    @Test
    func `a finished statement is renamed`() throws {
        try library.check(
            Member.where { m in
                Loan.where { $0.memberID.eq(m.id) }.exists() && m.name.neq("members")
            }.order(by: \.id).select(\.id).as(Sponsor.self),
            """
            SELECT `sponsors`.`id` FROM `members` AS `sponsors` WHERE EXISTS (SELECT 1 FROM \
            `loans` WHERE `loans`.`memberID` = `sponsors`.`id`) AND `sponsors`.`name` <> \
            'members' ORDER BY `sponsors`.`id`
            """,
            [[1], [2], [3], [4], [5], [6]])
    }

    @Test(.proves("TQS-044"))
    func `the default scope takes the other name`() throws {
        try library.check(
            Loan.join(ActiveMember.as(Borrower.self).all) { $0.memberID.eq($1.id) }.order { l, _ in
                l.id
            }.limit(2).select { ($0.id, $1.name) },
            """
            SELECT `loans`.`id`, `borrowers`.`name` FROM `loans` JOIN `members` AS `borrowers` \
            ON `loans`.`memberID` = `borrowers`.`id` WHERE `borrowers`.`leftOn` IS NULL ORDER BY \
            `loans`.`id` LIMIT 2
            """,
            [[1, "Bo O'Hara"], [2, "Chidi"]])
    }
}
