/// Where a dump prints.
public struct DumpStream: TextOutputStream {
    private var output: (any TextOutputStream)?
    private var isMarginWanted = false
    private var isEmpty = true

    /// - Parameter output: The standard output if nil.
    package init(_ output: (any TextOutputStream)?) {
        self.output = output
    }

    /// Prints text as it is: a line needs its own end.
    public mutating func write(_ string: String) {
        guard !string.isEmpty else { return }
        if isMarginWanted, !isEmpty { emit("\n") }
        isMarginWanted = false
        isEmpty = false
        emit(string)
    }

    /// Leaves a blank line before what follows, if anything precedes and follows.
    public mutating func margin() {
        isMarginWanted = true
    }

    private mutating func emit(_ string: String) {
        if output == nil {
            StandardOutput.write(string)
        } else {
            output?.write(string)
        }
    }
}
