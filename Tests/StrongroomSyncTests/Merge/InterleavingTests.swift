import Foundation
import StrongroomSync
import StrongroomTestSupport
import Testing

/// Something that one of the devices does.
private struct Action: CustomStringConvertible {
    enum Kind: Int, CaseIterable {
        /// Inserts a row, or deletes it if it is there: the parent, or one of two children with one unique value.
        case parent, firstChild, secondChild
        /// Writes to the first child and to the parent.
        case edit
        case exchange
        /// Another device begins with a copy of this one's file.
        case clone
    }

    let device: Int
    let kind: Kind

    static let deviceCount = 4
    /// The fourth device is the clone.
    static let count = deviceCount * Kind.allCases.count

    init(_ number: Int) {
        device = number / Kind.allCases.count
        kind = Kind.allCases[number % Kind.allCases.count]
    }

    var description: String { "\(kind) \(device)" }
}

/// A few devices with a parent and its children, which do things in a given order.
private struct Interleaving: ~Copyable {
    private static let parent = Meeting.row(SimulatedSchema.list, "p")
    private static let children = ["a", "b"].map { Meeting.row(SimulatedSchema.item, $0) }
    private var simulation: Simulation

    init() throws {
        var simulation = try Simulation(devices: 3)
        let (row, values) = Meeting.list("p")
        simulation.devices[0].insert(row, values, at: simulation.time)
        try simulation.settle()
        self.simulation = simulation
    }

    /// - Returns: Whether anything came of it.
    mutating func run(_ action: Action) throws -> Bool {
        let index = action.device
        guard index < simulation.devices.count else { return false }
        simulation.time += 10
        let before = simulation.devices[index].journal.count
        switch action.kind {
        case .parent: toggle(index, Self.parent, Meeting.list("p").1)
        case .firstChild: toggle(index, Self.children[0], Self.child("a"))
        case .secondChild: toggle(index, Self.children[1], Self.child("b"))
        case .edit:
            let value = CellValue.integer(simulation.time)
            simulation.devices[index].update(Self.children[0], 1, value, at: simulation.time)
            simulation.devices[index].add(1, to: Self.parent, 3, at: simulation.time)
        case .exchange: return try exchange(index)
        case .clone:
            guard simulation.devices.count < Action.deviceCount else { return false }
            simulation.devices.append(simulation.devices[index])
            return true
        }
        try simulation.check(index)
        return simulation.devices[index].journal.count > before
    }

    /// The two children have one unique value.
    private static func child(_ name: String) -> [CellValue] {
        var values = Meeting.item(name, in: "p").1
        values[4] = .integer(1)
        return values
    }

    private mutating func toggle(_ index: Int, _ row: RowID, _ values: [CellValue]) {
        if simulation.devices[index].app[row] == nil {
            simulation.devices[index].insert(row, values, at: simulation.time)
        } else {
            simulation.devices[index].delete(row, at: simulation.time)
        }
    }

    private mutating func exchange(_ index: Int) throws -> Bool {
        let (count, vector) = (simulation.hub.log.count, simulation.devices[index].vector)
        try simulation.push(index, upTo: 99, isAnswerLost: false)
        try simulation.pull(index, upTo: nil)
        try simulation.check(index)
        return simulation.hub.log.count > count || simulation.devices[index].vector != vector
    }

    mutating func finish() throws { try simulation.finish() }
}

extension SimulatedDevice {
    fileprivate mutating func add(_ amount: Int64, to row: RowID, _ column: Int, at time: Int64) {
        guard case .integer(let old)? = app[row]?[column] else { return }
        update(row, column, .integer(old + amount), at: time)
    }
}

@Suite("All interleavings of three devices", .tags(.slow))
struct InterleavingTests {
    /// `STRONGROOM_SYNC_DEPTH=5` is the full proof.
    private static let depth =
        Int(ProcessInfo.processInfo.environment["STRONGROOM_SYNC_DEPTH"] ?? "") ?? 3

    @Test(
        "with a parent, a unique value and a clone end equal, each step included",
        .proves("SYN-253", "SYN-001", "SYN-131"))
    func all() throws {
        var numbers = [Int](repeating: 0, count: Self.depth)
        var count = 0
        while true {
            let actions = numbers.map(Action.init)
            let vain: Int?
            do {
                vain = try Self.firstInVain(actions)
            } catch {
                Issue.record("\(actions): \(error)")
                return
            }
            if vain == nil { count += 1 }
            // What begins with something in vain is another interleaving with fewer steps.
            guard Self.advance(&numbers, at: vain ?? Self.depth - 1) else { break }
        }
        print("\(count) interleavings of \(Self.depth) steps")
        #expect(count > 200)
    }

    /// Runs the actions, and lets all devices exchange then.
    ///
    /// - Returns: The place of the first one of which nothing came.
    private static func firstInVain(_ actions: [Action]) throws -> Int? {
        // Devices are alike in the beginning: they take their turns in the order of their numbers.
        var known = 0
        for (place, action) in actions.enumerated() {
            if action.device > known, action.device < Action.deviceCount - 1 { return place }
            known = max(known, action.device + 1)
        }
        var interleaving = try Interleaving()
        for (place, action) in actions.enumerated() {
            guard try interleaving.run(action) else { return place }
        }
        try interleaving.finish()
        return nil
    }

    /// Goes on to the next actions that differ at a place.
    private static func advance(_ numbers: inout [Int], at place: Int) -> Bool {
        var place = place
        for later in numbers.indices where later > place { numbers[later] = 0 }
        while place >= 0 {
            numbers[place] += 1
            if numbers[place] < Action.count { return true }
            numbers[place] = 0
            place -= 1
        }
        return false
    }
}
