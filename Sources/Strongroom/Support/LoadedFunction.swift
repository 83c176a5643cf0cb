private import LibC

/// A C function that not every build of its library has, or that Swift does not import.
///
/// - Parameters:
///   - name: what the function is called in C.
///   - type: its type, a `@convention(c)` one; nothing checks that it is the right one.
/// - Returns: nil where this process has no such function.
package func loadedFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
    // RTLD_DEFAULT, a macro that Swift does not import.
    #if canImport(Darwin)
    let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
    let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(everywhere, name).map { unsafeBitCast($0, to: type) }
}
