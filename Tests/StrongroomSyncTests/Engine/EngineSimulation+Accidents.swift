import Strongroom
import StrongroomCore
import StrongroomTestSupport

@testable import StrongroomSync

// Files that are copied and put back, and a hub that loses what it had.

extension EngineSimulation {
    /// Keeps the file of a device as it is, or puts the kept one back, or begins a second device with it.
    func copy(_ index: Int) async throws {
        guard let kept = devices[index].kept else {
            devices[index].kept = try devices[index].fixture.copied()
            return
        }
        devices[index].kept = nil
        guard chance(30), devices.count < 5 else {
            // What was written since is gone, unless it was sent.
            payments.subtract(
                try devices[index].fixture.payments().subtracting(try kept.payments()))
            try kept.queue.backup(to: devices[index].fixture.queue)
            devices[index].fixture.version = kept.version
            devices[index].fixture.tables = kept.tables
            return try await restart(index)
        }
        restarts += 1
        let device = devices[index]
        try setClock(of: kept, skew: device.skew)
        let engine = try await SyncEngine.open(
            kept.queue, hub, tables: kept.tables, options(skew: device.skew, 100 + restarts))
        devices.append(Device(fixture: kept, engine: engine, skew: device.skew))
    }

    /// Puts the hub back to an older state now and then.
    ///
    /// - Returns: Whether that was the step.
    func putHubBack(_ number: Int) -> Bool {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<4: keptHub = hub.contents
        case 4..<7:
            history.append("step \(number): the hub is put back")
            if let old = keptHub { hub.restore(old) }
            hubContents = [:]
            keptHub = nil
        default: return false
        }
        return true
    }

    /// Has the app write while its device exchanges.
    func interrupt(_ index: Int) {
        let statement = statement()
        let fixture = devices[index].fixture
        let left = Int.random(in: 0...4, using: &random)
        interruption.withLock { $0 = (left, { try? fixture.write(statement) }) }
        history.append("  in step \(left) of the exchange: \(statement)")
    }
}
