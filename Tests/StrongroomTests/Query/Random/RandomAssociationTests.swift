import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Random trees of associations give the rows that nested loops find.
///
/// `STRONGROOM_REQUEST_SEEDS=100000 swift test --filter RandomAssociationTests` tries as many seeds,
/// and `STRONGROOM_REQUEST_SEED=17` begins with that one.
@Suite struct RandomAssociationTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue
    private let seeds: Range<UInt64>
    /// How many trees are tried with the same rows.
    private static let treeCount: UInt64 = 25

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: ShelfModel.schema) }
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STRONGROOM_REQUEST_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["STRONGROOM_REQUEST_SEEDS"].flatMap { UInt64($0) } ?? 200
        seeds = first..<(first + count)
    }

    @Test("Each association of a request is joined on its own way", .proves("CMP-60"))
    func treesOfAssociations() throws {
        var rowCount = 0
        var known: UInt64?
        for seed in seeds {
            let loops = AssociationLoops(model: ShelfModel(seed: seed / Self.treeCount))
            if known != seed / Self.treeCount { try queue.write { try loops.model.fill($0) } }
            known = seed / Self.treeCount
            var random = SeededGenerator(seed: seed)
            let (request, tree, lines) = try Self.request(loops, &random)
            let expected = loops.texts(of: tree, from: lines).sorted()
            let found = try queue.read { db in
                try Result { try (Row.fetchAll(db, request), request.fetchCount(db)) }
                    .mapError { FailedSeed(seed: seed, error: $0) }.get()
            }
            rowCount += expected.count
            if found.0.map(tree.text).sorted() == expected, found.1 == expected.count { continue }
            let sql = try queue.read { try $0.sql(of: request) }
            Issue.record(
                "seed \(seed), \(found.1)\n\(sql)\n\(found.0.map(tree.text).sorted())\n\(expected)")
        }
        // Requests for nothing prove little.
        #expect(rowCount > seeds.count * 2)
    }

    private struct FailedSeed: Error {
        let seed: UInt64
        let error: any Error
    }

    private typealias Question = (QueryInterfaceRequest<Row>, AssociationTree, [ShelfModel.Line])

    /// A request for rows of a table, or for those that an association leads to from one row.
    private static func request(
        _ loops: AssociationLoops, _ random: inout SeededGenerator
    ) throws -> Question {
        let table = random.pick(ShelfModel.tables)
        guard random.pick([true, false]) else {
            let tree = AssociationTree(of: table, &random)
            return (tree.refine(Table(table).all()), tree, loops.allLines(of: table))
        }
        let link = random.pick(ShelfModel.links(of: table))
        let tree = AssociationTree(of: link.destination, &random)
        let line = random.pick(loops.allLines(of: table))
        // What `request(for:)` does for a record, of which these tables have none.
        func request(_ association: some Association<Row, Row>) -> QueryInterfaceRequest<Row> {
            let values = Dictionary(
                uniqueKeysWithValues: line.map { ($0.key.lowercased(), $0.value.databaseValue) })
            guard random.pick([true, false]) else {
                return tree.refine(association.request(fromRowOf: table) { values })
            }
            return tree.refine(association).request(fromRowOf: table) { values }
        }
        let lines = loops.ends(link, from: line)
        return switch link.association {
        case .toOne(let association): (request(association), tree, lines)
        case .toMany(let association): (request(association), tree, lines)
        case .through(let association): (request(association), tree, lines)
        }
    }
}
