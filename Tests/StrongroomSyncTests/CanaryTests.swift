import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("The bytes of a hub", .proves("SYN-113"))
struct CanaryTests {
    private static let names = [
        "canarytable", "canarycolumn", "canarygroup", "canaryvalue", "canarykey", "canarydevice",
        "canarypolicy", "canaryhub.example",
    ]

    @Test("have no name, key, value or URL in them")
    func scan() async throws {
        let folder = try TemporaryDirectory()
        let hub = FolderHub(path: folder.path)
        var written = try await WrittenSpace(seed: 41, in: hub)
        let schema = MergeSchema([
            MergeTable(
                "canarytable", key: [MergeColumn("id")],
                fields: [
                    MergeField(MergeColumn("canarycolumn")),
                    MergeField(group: "canarygroup", [MergeColumn("canarycolumn2")]),
                ])
        ])
        let author = Author(Stamp(milliseconds: SpaceFixture.start), Run(high: 1, low: 2))
        var state = RowState(life: 1)
        let value = CellValue.text(Array("canaryvalue".utf8))
        state.cells = [
            Cell(0, author, .value(value)),
            Cell(1, author, CellContent(group: [.init("canarycolumn2", value)])),
        ]
        let key = RowKey(bytes: KeyValues.bytes(of: [.text(Array("canarykey".utf8))]))
        let change = RowChange(RowID(0, key), state)

        // What is written has them: else the scan would prove nothing.
        let block = ChangeBlock.encode([change], schema)
        let plain = try folder.write(Data(block), to: "plain")
        let scanner = CanaryScanner(Self.names)
        #expect(Set(try scanner.findings(inFile: plain).map(\.canary)).count == 5)
        try FileManager.default.removeItem(atPath: plain)

        let device = try written.fixture.device("canarydevice")
        try written.fixture.change(.tables(Array("canarypolicy".utf8)))
        try written.fixture.change(.hub("postgresql://canaryhub.example/strongroom"))
        let log = RosterLog(hub, written.fixture.space)
        try await log.store(written.fixture.entries)
        for padding in [SyncPadding.padme, .none] {
            var writer = try BatchWriter(device, written.fixture.randomness)
            writer.padding = padding
            let name = writer.nextName
            let bytes = try writer.write([change], schema, written.fixture)
            try await hub.put(bytes, under: name.text(in: written.fixture.space))
        }
        let header = SnapshotManifest.Header(
            ObjectStart(
                .manifest, written.fixture.space, device.device, written.fixture.roster.position),
            epoch: written.fixture.roster.epoch, salt: try written.fixture.randomness.bytes(32))
        let parts = Locked<[(HubName, [UInt8])]>([])
        var writer = try SnapshotWriter(
            header, key: #require(written.fixture.keys.newest), schema,
            emit: { name, bytes in parts.withLock { $0.append((name, bytes)) } })
        try writer.add(change)
        let manifest = try writer.finish(
            vector: Vector(), tails: [:], floor: Floor(), fingerprint: SpaceFixture.fingerprint,
            signedBy: device.signing)
        for (name, bytes) in parts.withLock({ $0 }) + [(manifest.name, manifest.bytes)] {
            try await hub.put(bytes, under: name.text(in: written.fixture.space))
        }
        #expect(try scanner.findings(inDirectory: folder.path).isEmpty)
        // Names of objects are pseudonyms, too.
        let names = try await hub.names("")
        #expect(names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x7f } && !$0.contains("canary") })
    }
}
