internal import StrongroomEssentials

/// How many threads share work on many pages.
package enum ThreadCount {
    /// One for each processor, up to 4: more did not make it faster.
    package static var usual: Int {
        min(4, ofProcessors)
    }

    package static var ofProcessors: Int { ProcessInfo.processInfo.activeProcessorCount }
}
