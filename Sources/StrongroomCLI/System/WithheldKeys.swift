/// Where the keys of a command line are, apart from files: no program that it starts inherits them.
package struct WithheldKeys: Sendable {
    var variables: Set<String> = []
    var descriptors: Set<Int32> = []
}
