import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TransactionModelTests {
    @Test(
        "Random programs of transactions and savepoints do what a model does, whatever fails",
        .proves("LOD-01"), arguments: WriterKind.allCases)
    func programs(kind: WriterKind) async throws {
        try await ProgramDatabase(kind).run(seeds: 0..<400) { seed in
            var surprises: TransactionProgram.Surprises = []
            if seed % 2 == 0 { surprises.insert(.cursors) }
            if seed % 3 == 0 { surprises.insert(.orphans) }
            if seed % 4 == 0 { surprises.insert(.rival) }
            return surprises
        }
    }
}
