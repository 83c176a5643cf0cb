import CMeasuring
import CSQLCipher
import Foundation
import Strongroom

/// What fetched records and waiting readers take in memory.
///
/// The heap is asked, not the kernel: it counts what is in use, and no page that the allocator keeps.
struct MemoryReport {
    static let recordCount = 100_000
    private static let readerCount = 8

    struct UnexpectedReadersError: Error {}

    let database: BenchmarkDatabase

    func print() throws {
        try printRecords()
        try printReaders()
    }

    private func printRecords() throws {
        // Once before, so that what stays for good is not counted.
        _ = try fetch(1000)
        let before = heap_byte_count()
        let items = try fetch(Self.recordCount)
        let growth = Int(heap_byte_count() - before)
        let held = Self.byteCount(of: items)
        line("\(items.count) records", growth, "\(ratio(growth, held)) of their \(held / 1000) kB")
    }

    private func fetch(_ count: Int) throws -> [CodableItem] {
        try database.queue.read { db in
            try CodableItem.limit(count).fetchAll(db)
        }
    }

    /// The array and the texts outside of it, as `malloc` rounds them up.
    private static func byteCount(of items: [CodableItem]) -> Int {
        items.reduce(items.count * MemoryLayout<CodableItem>.stride) { sum, item in
            [item.name, item.category, item.note ?? ""].reduce(sum) { sum, text in
                // Swift keeps up to 15 bytes in place; else there is a header and a final zero.
                text.utf8.count > 15 ? sum + (32 + text.utf8.count + 1 + 8 + 15) / 16 * 16 : sum
            }
        }
    }

    private func printReaders() throws {
        let pool = try DatabasePool(
            path: database.rawKeyPath,
            configuration: BenchmarkDatabase.configuration(BenchmarkDatabase.rawKey) {
                $0.maximumReaderCount = Self.readerCount
            })
        try useReaders(1, of: pool)
        let before = (heap: heap_byte_count(), engine: sqlite3_memory_used())
        try useReaders(Self.readerCount, of: pool)
        let readers = Self.readerCount - 1
        let heap = Int(heap_byte_count() - before.heap) / readers
        let engine = Int(sqlite3_memory_used() - before.engine) / readers
        line("an idle reader", heap - engine, "beside SQLite's \(engine / 1000) kB")
        try pool.close()
    }

    /// Uses so many readers at once: none ends before all have begun.
    private func useReaders(_ count: Int, of pool: DatabasePool) throws {
        let begun = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        let ended = DispatchGroup()
        for _ in 0..<count {
            ended.enter()
            pool.asyncRead { result in
                _ = try? result.get().tableExists("item")
                begun.signal()
                end.wait()
                ended.leave()
            }
        }
        for _ in 0..<count { begun.wait() }
        for _ in 0..<count { end.signal() }
        guard ended.wait(timeout: .now() + 10) == .success else { throw UnexpectedReadersError() }
    }

    private func ratio(_ left: Int, _ right: Int) -> String {
        String(format: "%.2f", Double(left) / Double(right))
    }

    private func line(_ name: String, _ byteCount: Int, _ remark: String) {
        Swift.print(
            name.padding(toLength: 24, withPad: " ", startingAt: 0), "\(byteCount / 1000) kB,",
            remark)
    }
}
