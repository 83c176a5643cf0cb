import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct JoinExamples4Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a table that is joined twice needs another name`() throws {
        try library.check(
            Member.join(Member.all) { $0.sponsorID.eq($1.id) },
            """
            SELECT `members`.`id`, `members`.`name`, `members`.`email`, `members`.`sponsorID`, \
            `members`.`role`, `members`.`joined`, `members`.`leftOn`, json(`members`.`address`), \
            `members`.`points`, `members`.`id`, `members`.`name`, `members`.`email`, \
            `members`.`sponsorID`, `members`.`role`, `members`.`joined`, `members`.`leftOn`, \
            json(`members`.`address`), `members`.`points` FROM `members` JOIN `members` ON \
            `members`.`sponsorID` = `members`.`id`
            """,
            error: "ambiguous column name: members.id")
    }
}
