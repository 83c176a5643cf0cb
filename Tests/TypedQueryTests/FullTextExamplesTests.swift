import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Packet.TableColumns, Member.TableColumns, Loan.TableColumns, GrowNote.TableColumns
)

@Suite struct FullTextExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `texts are searched`() throws {
        try library.check(
            GrowNote.where { $0.match("tomato OR beans") }.order(by: \.rank).select {
                ($0.rowid, $0.title)
            },
            """
            SELECT `growNotes`.`rowid`, `growNotes`.`title` FROM `growNotes` WHERE `growNotes` \
            MATCH 'tomato OR beans' ORDER BY `growNotes`.`rank`
            """,
            [
                [2, "Beans in cold soil"], [3, "Saving tomato seed"], [1, "Sowing tomatoes"],
            ])
        try library.check(
            GrowNote.where { $0.title.match("tomato") && $0.author.eq("Ada") }.select(\.title),
            """
            SELECT `growNotes`.`title` FROM `growNotes` WHERE `growNotes` MATCH 'title:`tomato`' \
            AND `growNotes`.`author` = 'Ada'
            """,
            [["Saving tomato seed"]])
    }

    @Test
    func `texts are searched, continued`() throws {
        try library.check(
            GrowNote.where { $0.match("(sow OR seed*) NOT pepper") }.leftJoin(Member.all) {
                $0.author.eq($1.name)
            }.where { _, m in m.role.isNot(.guest) }.order { n, _ in
                (n.bm25([\.title: 10]), n.rowid)
            }.limit(3).select { n, m in
                (n.title.highlight("«", "»"), m.role, Loan.where { $0.memberID.is(m.id) }.count())
            },
            """
            SELECT highlight(`growNotes`, 0, '«', '»'), `members`.`role`, (SELECT count(*) FROM \
            `loans` WHERE `loans`.`memberID` IS `members`.`id`) FROM `growNotes` LEFT JOIN \
            `members` ON `growNotes`.`author` = `members`.`name` WHERE `growNotes` MATCH '(sow \
            OR seed*) NOT pepper' AND `members`.`role` IS NOT 'guest' ORDER BY bm25(`growNotes`, \
            10.0, 1.0, 1.0), `growNotes`.`rowid` LIMIT 3
            """,
            [
                ["Sowing tomatoes", nil, 0], ["Saving tomato «seed»", nil, 0],
                ["Beans in cold soil", "grower", 3],
            ])
    }

    @Test
    func `results of a search have a rank`() throws {
        try library.check(
            GrowNote.where { $0.match("sow") }.order { $0.bm25([\.title: 10]) }.select(\.title),
            """
            SELECT `growNotes`.`title` FROM `growNotes` WHERE `growNotes` MATCH 'sow' ORDER BY \
            bm25(`growNotes`, 10.0, 1.0, 1.0)
            """,
            [["Lettuce all year"], ["Sowing tomatoes"], ["Beans in cold soil"]])
    }

    @Test
    func `what was found is marked`() throws {
        try library.check(
            GrowNote.where { $0.match("sow*") }.leftJoin(Member.all) { $0.author.eq($1.name) }.order
            { n, _ in n.rank }.limit(3).select { n, m in
                NoteHit.Columns(
                    title: n.title.highlight("[", "]"), excerpt: n.body.snippet("[", "]", "…", 5),
                    member: m.id)
            },
            """
            SELECT highlight(`growNotes`, 0, '[', ']') AS `title`, snippet(`growNotes`, 1, '[', \
            ']', '…', 5) AS `excerpt`, `members`.`id` AS `member` FROM `growNotes` LEFT JOIN \
            `members` ON `growNotes`.`author` = `members`.`name` WHERE `growNotes` MATCH 'sow*' \
            ORDER BY `growNotes`.`rank` LIMIT 3
            """,
            [
                ["Lettuce all year", "…In summer [sow] at night 🌙.", 3],
                ["[Sowing] tomatoes", "[Sow] indoors in March, two…", nil],
                ["Beans in cold soil", "Don't [sow] beans before…", 2],
            ])
        try library.check(
            GrowNote.as(N.self).where { $0.match("tomato") }.order(by: \.rank).select {
                $0.title.highlight("<", ">")
            },
            """
            SELECT highlight(`ns`.`growNotes`, 0, '<', '>') FROM `growNotes` AS `ns` WHERE \
            `ns`.`growNotes` MATCH 'tomato' ORDER BY `ns`.`rank`
            """,
            [["Saving <tomato> seed"], ["Sowing tomatoes"]])
    }

    @Test
    func `rows have numbers`() throws {
        try library.check(
            Packet.where { $0.rowid.eq(3) }.select { ($0.rowid, $0.seeds) },
            """
            SELECT `packets`.`rowid`, `packets`.`seeds` FROM `packets` WHERE `packets`.`rowid` = \
            3
            """,
            [[3, 40]])
    }

    @Test
    func `words are searched safely`() throws {
        try library.check(
            GrowNote.where { $0.match(words: "cold \"soil rots") }.select(\.title),
            """
            SELECT `growNotes`.`title` FROM `growNotes` WHERE `growNotes` MATCH '`cold` `soil` \
            `rots`'
            """,
            [["Beans in cold soil"]])
        try library.check(
            GrowNote.where { $0.match(words: "pepper frozen", .any) }.select(\.title),
            """
            SELECT `growNotes`.`title` FROM `growNotes` WHERE `growNotes` MATCH '`pepper` OR \
            `frozen`'
            """,
            [["Pepper patience"], ["Poppies"]])
        try library.check(
            GrowNote.where { $0.match(words: "!? -") }.count(),
            "SELECT count(*) FROM `growNotes` WHERE 0",
            [[0]])
    }
}
