import Foundation

/// The measurements as one JSON document.
struct JSONReport: Encodable {
    struct Entry: Encodable {
        var name: String
        var operations: Int
        var libraryMicroseconds: Double?
        var cMicroseconds: Double?
        var ratio: Double?
        var aimRatio: Double?
        var aimMicroseconds: Double?
        var reachesAim: Bool?
    }

    var rows: Int
    var runs: Int
    var workloads: [Entry] = []

    mutating func add(_ measurement: Measurement) {
        var entry = Entry(
            name: measurement.workload.name,
            operations: measurement.workload.operations,
            libraryMicroseconds: measurement.libraryMicroseconds,
            cMicroseconds: measurement.cMicroseconds,
            ratio: measurement.ratio,
            reachesAim: measurement.reachesAim)
        switch measurement.workload.aim {
        case nil: break
        case .ratio(let ratio): entry.aimRatio = ratio
        case .microseconds(let microseconds): entry.aimMicroseconds = microseconds
        }
        workloads.append(entry)
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
