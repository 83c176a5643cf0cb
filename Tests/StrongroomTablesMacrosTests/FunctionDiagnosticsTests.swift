import Foundation
import StrongroomTestSupport
import Testing

@Suite("What '@DatabaseFunction' refuses, and says to it")
struct FunctionDiagnosticsTests {
    @Test(.proves("FNC-019"))
    func `a function of SQL is a function, a computed property or a struct`() throws {
        try MacroClient(
            """
            @DatabaseFunction enum A { case a } // error: '@DatabaseFunction' belongs on a function, a computed property or a struct
            @DatabaseFunction final class B {} // error: '@DatabaseFunction' belongs on a function
            @DatabaseFunction let constant = 1 // error: '@DatabaseFunction' belongs on a function
            struct C {
                @DatabaseFunction var stored = 1 // error: '@DatabaseFunction' belongs on a function
                @DatabaseFunction var watched = 1 { didSet {} } // error: '@DatabaseFunction' belongs
                @DatabaseFunction init() {} // error: '@DatabaseFunction' belongs on a function
                @DatabaseFunction subscript(i: Int) -> Int { i } // error: '@DatabaseFunction' belongs
            }
            @DatabaseFunction struct D {} // error: '@DatabaseFunction' needs the methods 'step' and 'result' of a struct
            @DatabaseCollation var e: Int { 1 } // error: '@DatabaseCollation' belongs on a free or static function that compares two texts
            @DatabaseCollation func f(_ a: String) -> Int { 1 } // error: '@DatabaseCollation' belongs
            """
        ).expectDiagnostics()
    }

    @Test(.proves("FNC-019", "FNC-020"))
    func `a parameter that SQL cannot give is reported`() throws {
        try MacroClient(
            """
            @DatabaseFunction func a(_ n: Int...) -> Int { 0 } // error: a function of SQL has no variadic parameter
            @DatabaseFunction func b(_ n: inout Int) -> Int { 0 } // error: a function of SQL has no 'inout' parameter
            @DatabaseFunction func c() async -> Int { 0 } // error: SQL does not wait: an 'async' function cannot be called
            @DatabaseFunction var d: Int { get async { 0 } } // error: SQL does not wait
            @DatabaseFunction func e<T: QueryBindable>(_ n: T) -> Int { 0 } // error: a function of SQL has no generics
            @DatabaseFunction func f(_ n: some Collection<Int>) -> Int { 0 } // error: 'some Sequence<X>' is the only parameter that may be generic
            @DatabaseFunction func g(_ n: some QueryBindable) -> Int { 0 } // error: 'some Sequence<X>' is the only
            @DatabaseFunction func h(_ n: some Sequence<Int>, _ m: Int) -> Int { 0 } // error: a function of a sequence has no other parameter; a tuple takes several values
            @DatabaseFunction func i(
                _ a: Int,
                _ b: (Int, Int), // error: '(Int, Int)' cannot be an argument of a function of SQL
                _ c: any Sequence<Int>, // error: 'any Sequence<Int>' cannot be an argument
                _ d: @escaping () -> Int, // error: '() -> Int' cannot be an argument
                _ e: Any // error: 'Any' cannot be an argument
            ) -> Int { 0 }
            @DatabaseFunction struct J<T> { // error: a function of SQL has no generics
                mutating func step(_ n: Int) {}
                func result() -> Int { 0 }
            }
            @DatabaseFunction struct K {
                mutating func step(_ n: Int...) {} // error: a function of SQL has no variadic parameter
                mutating func inverse(_ n: Int...) async {} // error: SQL does not wait | error: a function of SQL has no variadic
                func value() -> Int { 0 }
                func result() -> Int { 0 }
            }
            @DatabaseFunction struct L {
                mutating func step(_ n: Int) {}
                mutating func inverse(_ n: String) {} // error: 'inverse' takes the arguments of 'step'
                func value() -> Int { 0 }
                func result() -> Int { 0 }
            }
            @DatabaseFunction struct M {
                mutating func step(_ n: Int) {}
                mutating func inverse(_ n: Int) {} // error: a window function has both 'inverse' and 'value'
                func result() -> Int { 0 }
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("FNC-003", "FNC-019"))
    func `what stands in the attribute is literal`() throws {
        try MacroClient(
            #"""
            let name = "f"
            let flag = true
            @DatabaseFunction(name) func a() -> Int { 0 } // error: a name is written as a string literal and is not empty
            @DatabaseFunction("") func b() -> Int { 0 } // error: a name is written as a string literal
            @DatabaseFunction("\(name)") func c() -> Int { 0 } // error: a name is written as a string literal
            @DatabaseFunction(isDeterministic: flag) func d() -> Int { 0 } // error: a flag is written as 'true' or 'false'
            @DatabaseFunction(isDirectOnly: !true) func e() -> Int { 0 } // error: a flag is written as
            @DatabaseFunction(as: ((Int) -> Int).self) func f(_ a: Int, _ b: Int) -> Int { 0 } // error: 'as:' has 1 arguments, and the function 2
            @DatabaseFunction(as: (() -> Int).self) func g(_ a: some Sequence<Int>) -> Int { 0 } // error: 'as:' has 0 arguments, and the function 1
            @DatabaseFunction(as: Int.self) func h(_ a: Int) -> Int { 0 } // error: 'as:' takes the type of a function, written '((A) -> B).self'
            @DatabaseCollation(name) func i(_ a: String, _ b: String) -> ComparisonResult { .orderedSame } // error: a name is written
            @DatabaseFunction(nil, as: nil) func j() -> Int { 0 }
            """#
        ).expectDiagnostics()
    }

    @Test(.proves("FNC-005", "FNC-015", "FNC-017"))
    func `a call has the arguments of the function`() throws {
        try MacroClient(
            """
            @Table struct Item { let id: Int; var title = ""; var due: Date? }
            @DatabaseFunction func exclaim(_ text: String) -> String { text + "!" }
            @DatabaseFunction func say(_ text: String, times: Int = 2, with: String = "") -> String { "" }
            @DatabaseFunction func median(_ n: some Sequence<Int>) -> Double? { nil }
            @DatabaseFunction func join(_ p: some Sequence<(String, separator: String)>) -> Int { 0 }
            @DatabaseFunction func items(_ i: some Sequence<Item>) -> Int { 0 }
            @DatabaseFunction struct Plain {
                mutating func step(_ n: Int) {}
                func result() -> Int { 0 }
            }
            @DatabaseFunction struct Total {
                mutating func step(_ n: Int) {}
                mutating func inverse(_ n: Int) {}
                func value() -> Int { 0 }
                func result() -> Int { 0 }
            }
            func calls() {
                _ = $exclaim("a")
                _ = $exclaim(1) // error:
                _ = $exclaim() // error:
                _ = $exclaim("a", "b") // error:
                _ = Item.select { $exclaim($0.title) }
                _ = Item.select { $exclaim($0.id) } // error: | error:
                _ = $say("a", times: 1, with: "b")
                _ = $say("a", 1, "b")
                _ = $say("a", 1, with: "b") // error:
                _ = $say("a", with: "b", times: 1) // error:
                _ = Item.select { $median($0.id, distinct: true) }
                _ = Item.select { $join($0.title, separator: ",") }
                _ = Item.select { $join($0.title, separator: ",", distinct: true) } // error: | error:
                _ = Item.select { $items($0) }
                _ = Item.select { $items($0, distinct: true) } // error: | error:
                _ = Item.select { $Total($0.id).over() }
                _ = Item.select { $Plain($0.id).over() } // error: | error:
                _ = Item.select { $median($0.id).over() } // error: | error:
                _ = Item.select { $exclaim($0.title).over() } // error: | error:
                _ = Item.select { $exclaim($0.title, filter: $0.id.eq(1)) } // error: | error:
            }
            """
        ).expectDiagnostics()
    }
}

@Suite("What the compiler says at '@DatabaseFunction'")
struct FunctionCompilerErrorTests {
    /// The errors in what the macro writes, each with the line of the attribute.
    private func errors(_ source: String, _ options: [String] = []) throws -> [Int: Set<String>] {
        let text = "import Foundation; import StrongroomTables\n" + source
        let output = try MacroClient.remarks(
            compiling: "Client.swift", of: ["Client.swift": text], options)
        var result: [Int: Set<String>] = [:]
        var error: String?
        for line in output.split(separator: "\n") {
            if let found = line.firstMatch(of: #/: error: (.*)/#) { error = String(found.1) }
            let place = #/Client\.swift:(\d+):\d+: note: in expansion of macro 'DatabaseFunction'/#
            guard let found = line.firstMatch(of: place), let number = Int(found.1) else {
                continue
            }
            if let error { result[number - 1, default: []].insert(error) }
            error = nil
        }
        return result
    }

    @Test(.proves("FNC-020"))
    func `a type that cannot be stored is named at its function`() throws {
        let found = try errors(
            """
            struct Strange {}
            @DatabaseFunction func a(_ n: Int, _ s: Strange) -> Int { 0 }
            @DatabaseFunction func b(_ n: Int) -> Strange { Strange() }
            @DatabaseFunction func c(_ n: some Sequence<Strange?>) -> Int { 0 }
            @DatabaseFunction func d(_ n: Int) -> Int { 0 }
            """)
        #expect(found.keys.sorted() == [2, 3, 4])
        let message = #/'Strange' (does not conform to protocol|conform to) 'QueryRepresentable'/#
        for (line, messages) in found {
            #expect(messages.contains { $0.contains(message) }, "\(line) \(messages)")
        }
    }

    @Test(.proves("FNC-021"))
    func `a function of an actor is an error`() throws {
        let source = """
            @DatabaseFunction func a(_ n: Int) -> Int { n }
            @DatabaseFunction var b: Int { 1 }
            @DatabaseFunction struct C { var n = 0; mutating func step(_ m: Int) {}; func result() -> Int { n } }
            @DatabaseFunction nonisolated func d(_ n: Int) -> Int { n }
            @DatabaseFunction nonisolated var e: Int { 1 }
            @DatabaseFunction nonisolated struct F { var n = 0; mutating func step(_ m: Int) {}; func result() -> Int { n } }
            enum G { @DatabaseFunction nonisolated static func g(_ n: Int) -> Int { n } }
            func use() { _ = $d(1); _ = $e; _ = $F(1); _ = G.$g(1) }
            """
        let found = try errors(source, ["-default-isolation", "MainActor"])
        #expect(found.keys.sorted() == [1, 2, 3])
        for (line, messages) in found {
            #expect(
                messages.allSatisfy { $0.contains("main actor-isolated") }, "\(line) \(messages)")
        }
        #expect(try errors(source).isEmpty)
        let isolated = try MacroClient.remarks(
            compiling: "Client.swift",
            of: ["Client.swift": "import StrongroomTables\n" + source],
            ["-default-isolation", "MainActor"])
        // The compiler shows the line, and with it what to do.
        let hints = isolated.components(separatedBy: "\n").filter {
            $0.hasSuffix("// declare it 'nonisolated': SQLite calls it on any thread")
        }
        #expect(hints.count == 3, "\(isolated)")
    }

    @Test(.proves("FNC-021"))
    func `an isolation that is written is reported where it matters`() throws {
        try MacroClient(
            """
            @MainActor @DatabaseFunction func a(_ n: Int) -> Int { n } // error: SQLite calls 'a' on any thread: declare it 'nonisolated' | note: Replace '@MainActor' by 'nonisolated'
            @DatabaseFunction @MainActor struct B { // error: SQLite calls 'B' on any thread
                mutating func step(_ m: Int) {}
                func result() -> Int { 0 }
            }
            @MainActor final class C {
                @DatabaseFunction static func c(_ n: Int) -> Int { n } // error: SQLite calls 'c' on any thread | note: Add 'nonisolated'
                @DatabaseFunction var d: Int { 1 } // error: SQLite calls 'd' on any thread
                @DatabaseFunction nonisolated static func e(_ n: Int) -> Int { n }
                @DatabaseFunction struct F {
                    mutating func step(_ m: Int) {}
                    func result() -> Int { 0 }
                }
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("FNC-023"))
    func `a method of what is not Sendable is an error`() throws {
        let found = try errors(
            """
            final class Box { var n = 0; @DatabaseFunction func a() -> Int { n } }
            struct Holder { let box = Box()
                @DatabaseFunction func b() -> Int { 1 }
                @DatabaseFunction var c: Int { 1 }
                @DatabaseFunction static func d() -> Int { 1 } }
            final class Safe: Sendable { @DatabaseFunction func e() -> Int { 1 } }
            """)
        #expect(found.keys.sorted() == [1, 3, 4])
        for (line, messages) in found {
            #expect(messages.allSatisfy { $0.contains("Sendable") }, "\(line) \(messages)")
        }
    }

    @Test(.proves("FNC-022"))
    func `the value is as visible as the function`() throws {
        try MacroClient(
            """
            struct Holder: Sendable {
                @DatabaseFunction private func hidden() -> Int { 1 }
                @DatabaseFunction private static func own() -> Int { 1 }
                @DatabaseFunction static func shown() -> Int { 1 }
                @DatabaseFunction func each() -> Int { 1 }
                func use() { _ = $hidden(); _ = Self.$own() }
            }
            @available(*, deprecated, message: "use another") @DatabaseFunction func old() -> Int { 1 }
            class Base: @unchecked Sendable { @DatabaseFunction class func of() -> Int { 1 } }
            func use(holder: Holder) {
                _ = holder.$hidden() // error: '$hidden' is inaccessible due to 'private' protection level
                _ = Holder.$own() // error: '$own' is inaccessible due to 'private' protection level
                _ = Holder.$shown()
                _ = holder.$shown() // error: static member '$shown' cannot be used on instance
                _ = holder.$each()
                _ = Holder.$each() // error:
                _ = $old() // warning: '$old' is deprecated: use another
                _ = Base.$of()
            }
            """
        ).expectDiagnostics()
        let text = try MacroClient(
            """
            @DatabaseFunction public func f(_ n: Int) -> Int { n }
            @available(macOS 15, *) @DatabaseFunction package func g() -> Int { 1 }
            public struct H: Sendable { @DatabaseFunction public static func h() -> Int { 1 } }
            @DatabaseFunction public var now: Date { Date() }
            @DatabaseCollation public func c(_ a: String, _ b: String) -> ComparisonResult { .orderedSame }
            """
        ).expansions()
        for part in [
            "nonisolated public var `$f`:", "public func callAsFunction", "@available(macOS 15, *)",
            "nonisolated package var `$g`:", "nonisolated public static var `$h`:",
            "nonisolated public var `$c`:", "nonisolated public var `$now`:",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(.proves("FNC-022"))
    func `one of several overloads can be a function of SQL`() throws {
        let found = try errors(
            """
            @DatabaseFunction func f(_ a: Int) -> Int { a }
            @DatabaseFunction func f(_ a: Int, _ b: Int) -> Int { a }
            @DatabaseFunction("f") func g(_ a: Int, _ b: Int) -> Int { a }
            """)
        #expect(found == [2: ["invalid redeclaration of '$f'"]])
    }
}
