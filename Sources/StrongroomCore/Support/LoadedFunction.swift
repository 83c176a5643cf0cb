private import LibC

/// A C function that not every build of its library has, or that Swift does not import.
///
/// - Parameters:
///   - name: what the function is called in C.
///   - type: its type, a `@convention(c)` one; nothing checks that it is the right one.
/// - Returns: nil where this process has no such function.
package func loadedFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
    // RTLD_DEFAULT and RTLD_NEXT are macros that Swift does not import.
    #if canImport(Darwin)
    return function(name, -2, as: type)
    #else
    return function(name, 0, as: type)
    #endif
}

/// The same, but for the function that a library has, where the program has one of that name too.
package func nextFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
    function(name, -1, as: type)
}

private func function<Function>(
    _ name: String, _ place: Int, as type: Function.Type
) -> Function? {
    dlsym(UnsafeMutableRawPointer(bitPattern: place), name).map { unsafeBitCast($0, to: type) }
}
