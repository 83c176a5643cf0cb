import StrongroomSync
import StrongroomTestSupport

/// In which order a third device hears of what two others wrote at the same time.
enum Arrival: CaseIterable {
    case firstFirst, secondFirst
    /// Of the first one's by a snapshot, which also has the second one's.
    case snapshot
}

/// Three devices with the same rows, of which two write without knowing of each other. Then all hear of everything.
struct Meeting: ~Copyable {
    typealias Tables = SimulatedSchema

    var simulation: Simulation

    /// - Parameter rows: What all have in the beginning.
    init(_ rows: [(RowID, [CellValue])] = []) throws {
        var simulation = try Simulation(devices: 3)
        for (row, values) in rows {
            simulation.time += 1
            simulation.devices[0].insert(row, values, at: simulation.time)
        }
        try simulation.settle()
        self.simulation = simulation
    }

    static func row(_ table: Int, _ name: String) -> RowID {
        RowID(table, RowKey([text(name)]))
    }

    static func text(_ text: String) -> CellValue { .text(Array(text.utf8)) }

    static func list(
        _ name: String, parent: CellValue = .null, n: Int64 = 0
    ) -> (RowID, [CellValue]) {
        (row(Tables.list, name), [text(name), .integer(1), parent, .integer(n), .integer(1)])
    }

    static func item(_ name: String, in list: String) -> (RowID, [CellValue]) {
        let values = [text(name), .integer(1), text(list), .null, .null, .integer(1), .integer(2)]
        return (row(Tables.item, name), values)
    }

    static func tag(
        _ name: String, _ value: CellValue, best: CellValue = .null, worst: CellValue = .null
    ) -> (RowID, [CellValue]) {
        (row(Tables.tag, name), [text(name), value, best, worst])
    }

    static func box(_ name: String, title: CellValue = .null, in list: CellValue = .null)
        -> (RowID, [CellValue])
    {
        (row(Tables.box, name), [text(name), title, list])
    }

    static func doc(_ name: String, body: CellValue = .integer(1), in list: String)
        -> (RowID, [CellValue])
    {
        (row(Tables.doc, name), [text(name), body, text(list)])
    }

    static func note(_ name: String, text title: CellValue, in item: String, count: Int64 = 0)
        -> (RowID, [CellValue])
    {
        (row(Tables.note, name), [text(name), title, text(item), .integer(count)])
    }

    mutating func insert(_ device: Int, _ row: RowID, _ values: [CellValue]) {
        simulation.time += 1
        simulation.devices[device].insert(row, values, at: simulation.time)
    }

    mutating func update(_ device: Int, _ row: RowID, _ column: Int, _ value: CellValue) {
        simulation.time += 1
        simulation.devices[device].update(row, column, value, at: simulation.time)
    }

    mutating func delete(_ device: Int, _ row: RowID) {
        simulation.time += 1
        simulation.devices[device].delete(row, at: simulation.time)
    }

    mutating func settle() throws { try simulation.settle() }

    /// Lets the third device hear of the two in an order, then all of everything; all have to be equal.
    mutating func meet(_ arrival: Arrival) throws {
        let order = arrival == .firstFirst ? [0, 1] : [1, 0]
        for device in order {
            try simulation.push(device, upTo: 99, isAnswerLost: false)
            if arrival == .snapshot, device == 0 {
                simulation.devices[0].mustPublish = true
                try simulation.pull(0, upTo: nil)
            }
            try simulation.pull(2, upTo: nil)
        }
        try settle()
        try simulation.finish()
    }

    /// What all devices show of a row.
    func shown(_ row: RowID) throws -> [CellValue]? {
        let shown = simulation.devices.map { $0.app[row] }
        guard shown.allSatisfy({ $0 == shown[0] }) else {
            throw Simulation.Failure(description: "\(shown)")
        }
        return shown[0]
    }

    func status(_ row: RowID) -> RowStatus.Level {
        simulation.devices[2].source.status(of: row).level
    }
}
