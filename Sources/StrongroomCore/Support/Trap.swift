/// Stops the process on a mistake of the caller, and says which, in optimized builds too.
package func trap(unless condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
