import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = HookTables

@Suite struct KeyBytesTests {
    private func bytes(_ values: DatabaseValue...) -> [UInt8] { KeyBytes.encode(values) }

    private static let sorted: [DatabaseValue] = [
        .null, Int64.min.databaseValue, (-256).databaseValue, (-1).databaseValue,
        0.databaseValue, 1.databaseValue, 255.databaseValue, 256.databaseValue,
        Int64.max.databaseValue, (-Double.infinity).databaseValue, (-1.5).databaseValue,
        (-Double.leastNonzeroMagnitude).databaseValue, 0.0.databaseValue,
        Double.leastNonzeroMagnitude.databaseValue, 1.0.databaseValue,
        Double.infinity.databaseValue, "".databaseValue, "\0".databaseValue,
        "\0\0".databaseValue, "\0\u{1}".databaseValue, "\u{1}".databaseValue, "1".databaseValue,
        "a".databaseValue, "a\0".databaseValue, "a\0b".databaseValue, "a\u{1}".databaseValue,
        "ab".databaseValue, "e\u{301}".databaseValue, "\u{e9}".databaseValue,
        Data().databaseValue, Data([0]).databaseValue, Data([0, 0]).databaseValue,
        Data([0, 1]).databaseValue, Data([1]).databaseValue, Data("1".utf8).databaseValue,
        Data([255]).databaseValue, Data([255, 0]).databaseValue,
    ]

    @Test(.proves("THK-06"))
    func `each kind of value has the bytes that are documented`() {
        #expect(bytes(.null) == [0])
        #expect(bytes(1.databaseValue) == [1, 0x80, 0, 0, 0, 0, 0, 0, 1])
        #expect(bytes((-2).databaseValue) == [1, 0x7F, 255, 255, 255, 255, 255, 255, 0xFE])
        #expect(bytes(1.0.databaseValue) == [2, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(bytes((-1.0).databaseValue) == [2, 0x40, 0x0F, 255, 255, 255, 255, 255, 255])
        #expect(bytes("1".databaseValue) == [3, 0x31, 0, 0])
        #expect(bytes("a\0é".databaseValue) == [3, 0x61, 0, 1, 0xC3, 0xA9, 0, 0])
        #expect(bytes(Data("1".utf8).databaseValue) == [4, 0x31, 0, 0])
        #expect(bytes(Data([0, 0, 1]).databaseValue) == [4, 0, 1, 0, 1, 1, 0, 0])
        #expect(bytes() == [])
        #expect(bytes(1.databaseValue, .null, "".databaseValue).count == 9 + 1 + 3)
        #expect(bytes((-0.0).databaseValue) == bytes(0.0.databaseValue))
        #expect(KeyBytes.encode([DatabaseValue(value: Double.nan) ?? .null]) == [0])
    }

    @Test(.proves("THK-06"))
    func `no form begins another, and their order is that of the values`() {
        let forms = Self.sorted.map { bytes($0) }
        for (index, form) in forms.enumerated() {
            for other in forms[(index + 1)...] {
                #expect(form.lexicographicallyPrecedes(other), "\(form) \(other)")
                #expect(!other.starts(with: form), "\(form) \(other)")
            }
        }
    }

    @Test(.proves("THK-06"))
    func `a key of several values is cut in one way only`() throws {
        var seen: [[UInt8]: [DatabaseValue]] = [:]
        for first in Self.sorted {
            for second in Self.sorted {
                let key = [first, second]
                let form = KeyBytes.encode(key)
                #expect(seen.updateValue(key, forKey: form) == nil)
                let decoded = try #require(KeyBytes.decode(form))
                #expect(decoded.map(\.storage) == key.map(\.storage))
            }
        }
        #expect(KeyBytes.decode([]) == [])
        for wrong: [UInt8] in [
            [5], [1, 0], [3, 0x61], [3, 0x61, 0], [3, 0, 2, 0, 0], [3, 0xFF, 0, 0],
            [2, 0x7F, 255, 255, 255, 255, 255, 255, 255], [2, 0xFF, 0xF8, 0, 0, 0, 0, 0, 0],
        ] {
            #expect(KeyBytes.decode(wrong) == nil, "\(wrong)")
        }
    }

    @Test(.proves("THK-06"))
    func `a type gives the bytes of what its key stores`() throws {
        #expect(HookFolder.primaryKeyBytes(1) == [1, 0x80, 0, 0, 0, 0, 0, 0, 1])
        #expect(Real.primaryKeyBytes(1) == [2, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(Real.primaryKeyBytes(-0.0) == Real.primaryKeyBytes(0))
        #expect(Real.primaryKeyBytes(.nan) == [0])
        #expect(Named.primaryKeyBytes("1") == [3, 0x31, 0, 0])
        let date = Date(timeIntervalSince1970: 1)
        #expect(Stamped.primaryKeyBytes(date) == HookFolder.primaryKeyBytes(1))
        let uuid = try #require(UUID(uuidString: "000000AB-0000-4000-8000-000000000001"))
        #expect(Crew.primaryKeyBytes(uuid).first == 4)
        #expect(
            Rack.primaryKeyBytes(uuid)
                == [3] + Array("000000ab-0000-4000-8000-000000000001".utf8) + [0, 0])
        let grid = Grid(id: Grid.ID(order: [0], kind: "x"), from: nil)
        #expect(grid.primaryKeyBytes == [4, 0, 1, 0, 0, 3, 0x78, 0, 0])
        #expect(Grid.primaryKeyBytes(grid.id) == grid.primaryKeyBytes)
        #expect(HookFolder(id: 1).primaryKeyBytes == HookFolder.primaryKeyBytes(1))
    }

    @Test(.proves("THK-06"))
    func `what the database gives back has the same bytes`() throws {
        let fixture = try HookFixture()
        try fixture.queue.write { db in
            let grid = Grid(id: Grid.ID(order: [0, 1, 0], kind: "a\0b"), from: 2)
            try Grid.insert { grid }.execute(db)
            let row = try #require(
                try Row.fetchOne(db, sql: #"SELECT "order", "group" FROM "select""#))
            #expect(KeyBytes.encode(Array(row.databaseValues)) == grid.primaryKeyBytes)
            #expect(try Grid.find(db, key: grid.id).primaryKeyBytes == grid.primaryKeyBytes)
        }
    }

    @Test(.proves("THK-06"))
    func `tables and columns have names that a rename leaves alone`() {
        #expect(Rack.schema.stableName == "racks")
        #expect(Rack.schema.columns.map(\.stableName)[1...2] == ["title", "number"])
        #expect(HookItem.schema.stableName == "items")
        #expect(Thing.schema.stableName == "things")
        #expect(HookItem.schema.columns[2].stableName == "folderid")
    }
}
