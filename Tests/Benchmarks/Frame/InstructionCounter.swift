import CMeasuring
import Foundation

/// Counts the instructions that this process carries out in user space.
enum InstructionCounter {
    /// The processor counts, and the kernel tells: the descriptor.
    case processor(Int32)
    /// This process runs under valgrind's callgrind, which writes what it counted to files.
    case valgrind

    /// This machine has nothing to count with.
    struct MissingError: Error, CustomStringConvertible {
        var number: Int32
        var description: String {
            "no instructions are counted here: perf_event_open: \(String(cString: strerror(number)))"
        }
    }

    /// Threads that were started before are not counted by the processor.
    init() throws {
        if instructions_are_counted_by_valgrind() != 0 {
            self = .valgrind
            return
        }
        let descriptor = instructions_open()
        guard descriptor >= 0 else { throw MissingError(number: -descriptor) }
        self = .processor(descriptor)
    }

    /// Counts what a closure does, under a name; nil if the count is in a file.
    func count(_ name: String, _ body: () throws -> Void) rethrows -> Int64? {
        switch self {
        case .processor(let descriptor):
            let start = instructions_read(descriptor)
            try body()
            return instructions_read(descriptor) - start
        case .valgrind:
            instructions_begin()
            try body()
            instructions_end(name)
            return nil
        }
    }
}
