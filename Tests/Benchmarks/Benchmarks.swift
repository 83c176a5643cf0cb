import Foundation

/// Compares the library with the C API beneath it.
@main
struct Benchmarks {
    static func main() {
        do {
            try run(try Options(Array(CommandLine.arguments.dropFirst())))
        } catch {
            FileHandle.standardError.write(Data("Benchmarks: error: \(error)\n".utf8))
            exit(error is Options.UsageError ? 2 : 1)
        }
    }

    private static func run(_ options: Options) throws {
        let workloads = allWorkloads(rows: options.rows).filter(options.selects)
        if options.wantsHelp {
            print(Options.help)
        } else if options.lists {
            workloads.forEach { print($0.name) }
        } else if workloads.isEmpty {
            throw Options.UsageError(description: "no workload has such a name; try --list")
        } else if options.measuresMemory {
            let database = try BenchmarkDatabase(rows: MemoryReport.recordCount)
            defer { database.remove() }
            try MemoryReport(database: database).print()
        } else if options.countsInstructions {
            try countInstructions(workloads, options)
        } else {
            try measure(workloads, options)
        }
    }

    private static func allWorkloads(rows: Int) -> [Workload] {
        fetchingWorkloads(rows: rows)
            + lookupWorkloads(rows: rows)
            + requestWorkloads(rows: rows)
            + prefetchingWorkloads()
            + accessWorkloads()
            + insertingWorkloads()
            + updatingWorkloads()
            + openingWorkloads()
            + migratingWorkloads()
            + observingWorkloads()
            + recordWorkloads(rows: rows)
            + rekeyingWorkloads()
            + keyChangeWorkloads()
            + concurrentWorkloads(rows: rows)
            + typedRowWorkloads(rows: rows)
            + typedStatementWorkloads(rows: rows)
            + typedFunctionWorkloads()
            + liveQueryWorkloads()
            + capturingWorkloads()
    }

    private static func countInstructions(_ workloads: [Workload], _ options: Options) throws {
        let report = InstructionReport(counter: try InstructionCounter())
        let database = try BenchmarkDatabase(rows: options.rows)
        defer { database.remove() }
        for workload in workloads {
            try report.add(workload, runs: options.runs, on: database)
        }
    }

    private static func measure(_ workloads: [Workload], _ options: Options) throws {
        let database = try BenchmarkDatabase(rows: options.rows)
        defer { database.remove() }
        var json = JSONReport(rows: options.rows, runs: options.runs)
        let text = options.json ? nil : TextReport(workloads)
        for workload in workloads {
            var measurement = Measurement(workload, timer: options.timer)
            try measurement.run(options.runs, only: options.only, on: database)
            text?.add(measurement)
            json.add(measurement)
        }
        if options.json {
            print(try json.text())
        }
    }
}
