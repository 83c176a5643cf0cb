internal import StrongroomEssentials

/// The memory of the machine.
enum MachineMemory {
    /// All of it, in bytes, whoever uses it now.
    static var byteCount: Int64 { Int64(clamping: ProcessInfo.processInfo.physicalMemory) }
}
