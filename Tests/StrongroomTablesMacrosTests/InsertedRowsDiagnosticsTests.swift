import StrongroomTestSupport
import Testing

@Suite struct InsertedRowsDiagnosticsTests {
    @Test(.proves("TIN-001"))
    func `rows that were made for one table are not inserted into another`() throws {
        try MacroClient(
            """
            @Table struct Player { let id: Int; var name: String }
            @Table struct Team { let id: Int; var name: String }
            @InsertBuilder<Player> func players() -> InsertedRows<Player> {
                Player(id: 1, name: "Ada")
            }
            func use() {
                _ = Player.insert(players)
                _ = Team.insert(players) // error: cannot convert value of type
            }
            """
        ).expectDiagnostics()
    }
}
