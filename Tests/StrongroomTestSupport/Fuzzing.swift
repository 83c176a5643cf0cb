import Foundation

/// Throws random input at a piece of code: a little in every run of the tests, and as much as
/// `Scripts/fuzz` says when it runs them.
///
/// Each input comes from a seed of its own, which an error names. After a crash, the run of the same
/// seed comes to the same input again.
public struct Fuzzing: Sendable {
    /// An input that the code did not stand.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// How long to go on; nil for a small number of inputs.
    let seconds: Double?
    let seed: UInt64

    /// Reads `STRONGROOM_FUZZ_SECONDS` and `STRONGROOM_FUZZ_SEED`.
    public init() {
        let environment = ProcessInfo.processInfo.environment
        seconds = environment["STRONGROOM_FUZZ_SECONDS"].flatMap { Double($0) }
        seed = environment["STRONGROOM_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    }

    /// Runs a body with input after input.
    ///
    /// - Parameters:
    ///   - name: What the inputs are thrown at.
    ///   - inputs: How many there are in an ordinary run.
    ///   - body: Uses one input.
    /// - Returns: How many there were.
    /// - Throws: What the body threw, with the seed of its input.
    public func run(
        _ name: String, inputs: UInt64 = 100, _ body: (inout SeededGenerator) throws -> Void
    ) throws -> UInt64 {
        let start = ContinuousClock.now
        var count: UInt64 = 0
        func isOver() -> Bool {
            guard let seconds else { return count == inputs }
            return ContinuousClock.now - start > .seconds(seconds)
        }
        while !isOver() {
            let inputSeed = seed &+ count
            var generator = SeededGenerator(seed: inputSeed)
            do {
                try body(&generator)
            } catch {
                throw Failure(description: "\(name), seed \(inputSeed): \(error)")
            }
            count += 1
        }
        if seconds != nil { print("\(name): \(count) inputs from seed \(seed) on") }
        return count
    }

    /// Fails when something does not hold of an input.
    public static func expect(
        _ holds: Bool, _ what: @autoclosure () -> String
    ) throws {
        if !holds { throw Failure(description: what()) }
    }
}

extension SeededGenerator {
    /// One of several things.
    public mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
        choices[
            choices.index(
                choices.startIndex, offsetBy: Int.random(in: 0..<choices.count, using: &self))]
    }

    /// Bytes of any kind, or such as a text has.
    public mutating func bytes(upTo count: Int) -> [UInt8] {
        let range: ClosedRange<UInt8> = pick([0...255, 32...126, 48...58])
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in
            UInt8.random(in: range, using: &self)
        }
    }

    /// A few pieces put together, or now and then a text of any characters.
    public mutating func text(of pieces: [String], upTo count: Int) -> String {
        if Int.random(in: 0...3, using: &self) == 0 {
            return String(decoding: bytes(upTo: 12), as: UTF8.self)
        }
        return (0..<Int.random(in: 1...count, using: &self)).map { _ in pick(pieces) }.joined()
    }

    /// Some bytes with a few of them changed, left out, doubled or put in.
    public mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0...4, using: &self) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(pick(Array("0123456789-+:. TZ\0".utf8)), at: index)
            case 3: bytes[index] = pick(Array("0123456789-+:. TZ\0".utf8))
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
