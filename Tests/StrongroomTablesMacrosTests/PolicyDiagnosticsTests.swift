import StrongroomTestSupport
import Testing

@Suite("Policies in declarations")
struct PolicyDiagnosticsTests {
    @Test(.proves("THK-08"))
    func `Each one is written into the layout or to its column`() throws {
        try GoldenFile("Tables/Parcel.txt").expect(
            try MacroClient(
                """
                @Table("parcels", onConflictingDelete: .deleteWins, renamedFrom: "Packets")
                struct Parcel {
                    let id: Int
                    @Column(merge: .sum, renamedFrom: "number") var count: Int
                    @Column("keeper", owner: true) var owner: String
                    @Column(owner: false) var note: String
                }
                """
            ).expansions())
    }

    @Test(.proves("THK-08"))
    func `A first name is a literal with something in it`() throws {
        try MacroClient(
            #"""
            let old = "packets"
            @Table(renamedFrom: "") struct A { let id: Int } // error: a name is written as a string literal
            @Table(renamedFrom: old) struct B { let id: Int } // error: a name is written as a string literal
            @Table struct C {
                let id: Int
                @Column(renamedFrom: "") var title = "" // error: a name is written as a string literal
                @Column(renamedFrom: "\(old)") var text = "" // error: a name is written as a string literal
            }
            """#
        ).expectDiagnostics()
    }

    @Test(.proves("THK-08"))
    func `What is true or false is a literal`() throws {
        try MacroClient(
            """
            let isOwned = true
            @Table struct A {
                @Column(primaryKey: isOwned) let number: Int // error: 'primaryKey' takes 'true' or 'false'
                @Column(owner: isOwned) var owner = "" // error: 'owner' takes 'true' or 'false'
                @Column(lazyInitializable: !true) var made: Int // error: 'lazyInitializable' takes 'true'
                @Column(owner: false) var other = ""
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("THK-08"))
    func `The cases of an enum have no policy`() throws {
        try MacroClient(
            """
            @Selection enum Kind {
                @Column(merge: .sum) case count(Int) // error: 'merge' does not apply to a case
                @Column(owner: true) case owner(String) // error: 'owner' does not apply to a case
                @Column(renamedFrom: "x") case text(String) // error: 'renamedFrom' does not apply to a case
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("THK-08"))
    func `A policy of another type, and one at a view or a selection, do not compile`() throws {
        try MacroClient(
            """
            @Table struct A {
                let id: Int
                @Column(merge: "sum") var count: Int // error: cannot convert value of type 'String'
                @Column(merge: .updateWins) var number: Int // error: type 'MergePolicy?' has no member
            }
            @Table(onConflictingDelete: .sum) struct B { let id: Int } // error: type 'ConflictingDeletePolicy?'
            @Table(.view, renamedFrom: "c") struct C { let id: Int } // error: type 'String?' has no member 'view'
            @Selection(renamedFrom: "d") struct D { var name = "" } // error: extraneous argument label 'renamedFrom:'
            """
        ).expectDiagnostics()
    }
}
