import Strongroom
import StrongroomTestSupport
import Testing

// A process cannot be left without memory for one page, and have it for the test.
@testable import StrongroomCore

@Suite struct StructureCheckTests {
    @Test(
        "a page for which there was no memory is not damaged", .proves("OPR-22"),
        arguments: ["7", "3082"])
    func memory(code: String) throws {
        let lines = [
            "*** in database main ***\nTree 2 page 1790: unable to get the page. error code=\(code)\n"
                + "Page 3: never used"
        ]
        let error = #expect(throws: DatabaseError.self) { try StructureCheck.requireMemory(lines) }
        #expect(error?.resultCode == .SQLITE_NOMEM)
    }

    @Test("a page that cannot be read is", arguments: ["11", "522", "10"])
    func damage(code: String) throws {
        try StructureCheck.requireMemory([
            "Tree 2 page 1790: unable to get the page. error code=\(code)", "ok",
        ])
    }
}
