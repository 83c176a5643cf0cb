import Foundation
import StrongroomSync
import StrongroomTestSupport

/// What happened in a simulation, for the second implementation: it does the same and compares.
struct WitnessScript {
    private let isRecorded: Bool
    private(set) var lines: [String] = []

    init(isRecorded: Bool) {
        self.isRecorded = isRecorded
    }

    private mutating func add(_ line: @autoclosure () -> String) {
        if isRecorded { lines.append(line()) }
    }

    mutating func begin(device: Int, isOld: Bool) {
        add(#"["begin",\#(device),\#(isOld)]"#)
    }

    mutating func merge(device: Int, rows: [UInt8]) {
        add(#"["merge",\#(device),"\#(Self.hex(rows))"]"#)
    }

    mutating func replace(device: Int, rows: [UInt8]) {
        add(#"["replace",\#(device),"\#(Self.hex(rows))"]"#)
    }

    mutating func apply(device: Int, _ floor: Floor) {
        let runs = floor.passed.numbers.map { run, number -> String in
            var bytes: [UInt8] = []
            bytes.append(run)
            return #""\#(Self.hex(bytes))":\#(number)"#
        }
        add(#"["floor",\#(device),{\#(runs.joined(separator: ","))}]"#)
    }

    /// A device begins again with a file.
    mutating func restore(device: Int, _ file: borrowing SimulatedDevice, schema: MergeSchema) {
        guard isRecorded else { return }
        begin(device: device, isOld: file.isOld)
        apply(device: device, file.source.merged.floor)
        replace(device: device, rows: file.source.merged.canonicalBytes)
    }

    mutating func check(device: Int, digest: StateDigest, visible: String) {
        add(#"["check",\#(device),"\#(Self.hex(digest.bytes))","\#(visible)"]"#)
    }

    mutating func checkState(device: Int, _ digest: String) {
        add(#"["state",\#(device),"\#(digest)"]"#)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func hex(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }
}

/// `sync_witness.py`, which does with `sync_merge.py` what a simulation did.
enum Witness {
    static let isThere =
        (try? Subprocess.run("python3", ["-c", "import hashlib"]).isSuccess) ?? false

    /// The rules of the merge and of the projection that the witness can break.
    static let mutants = [
        "winnerByArrival", "firstEditStays", "tiesByArrival", "countersByArrival",
        "greatestIsFirst",
        "leastIsGreatest", "birthIsLast", "livesMix", "floorsIgnored", "oldestEdgeCut",
        "noLoopsCut",
        "uniqueByKey", "noUnique", "orphansShown", "parentsAskedOnce", "defaultNeedsNoRow",
    ]
    /// Those that few schedules notice.
    static let rareMutants = ["tiesByArrival", "floorsIgnored", "uniqueByKey", "parentsAskedOnce"]

    /// What it finds different, by the number of the schedule; with a rule broken, if a mutant is named.
    static func differences(
        in schedules: [[String]], mutant: String? = nil
    ) throws -> [Int: String] {
        var input = """
            {"new":\(SimulatedSchema.new.json),"old":\(SimulatedSchema.old.json)}

            """
        for lines in schedules { input += "[" + lines.joined(separator: ",") + "]\n" }
        let script = PackageFiles.path(of: "Tests/Decoder/sync_witness.py")
        let result = try Subprocess.run(
            "python3", [script] + (mutant.map { [$0] } ?? []), input: Data(input.utf8),
            timeout: .seconds(600))
        let answers = result.outputText.split(separator: "\n")
        guard result.isSuccess, answers.count == schedules.count else {
            throw Simulation.Failure(description: "the witness failed: \(result.errorText)")
        }
        var differences: [Int: String] = [:]
        for (number, answer) in answers.enumerated() where answer != "equal" {
            differences[number] = String(answer)
        }
        return differences
    }
}
