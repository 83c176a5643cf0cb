import Foundation
import StrongroomTables

// Common table expressions and compounds. See `Scripts/typecheck`.

func compounds1(_ db: Database) throws {
    _ =
        try Variety
        .select(\.name)
        .union(Trait.select(\.label))
        .union(Taxon.where { $0.rank.eq(.family) }.select(\.name))
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.seeds.eq(0) }
        .select(\.varietyID)
        .union(all: true, Packet.where { $0.grams.is(nil) }.select(\.varietyID))
        .fetchAll(db)
    _ =
        try Taxon
        .select(\.name)
        .union(Taxon.none.select(\.name))
        .except(Taxon.none.select(\.name))
        .fetchAll(db)
    _ = try Taxon.select(\.name).intersect(Taxon.none.select(\.name))
        .fetchAll(db)
    _ = try With {
        Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) }
    } query: {
        OpenName.order(by: \.name).limit(2)
    }
    .fetchAll(db)
}

func compounds2(_ db: Database) throws {
    _ = try With {
        Packet.group(by: \.varietyID).select {
            Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
        }; Stock.where { $0.seeds > 50 }.select { BigStock.Columns(varietyID: $0.varietyID) }
    } query: {
        Variety.join(BigStock.all) { $0.id.eq($1.varietyID) }.join(Stock.all) { v, _, s in
            v.id.eq(s.varietyID)
        }.order { v, _, s in (s.seeds.desc(), v.name) }.select { v, _, s in (v.name, s.seeds) }
    }
    .fetchAll(db)
    _ = try With {
        Taxon.find(1).select { Branch.Columns(id: $0.id, name: $0.name, depth: 0) }.union(
            all: true,
            Taxon.join(Branch.all) { $0.parentID.eq($1.id) }.select {
                Branch.Columns(id: $0.id, name: $0.name, depth: $1.depth + 1)
            })
    } query: {
        Branch.order { ($0.depth, $0.name) }
    }
    .fetchAll(db)
    _ = try With {
        Taxon.where { $0.parentID.is(nil) }.select {
            Branch.Columns(id: $0.id, name: $0.name, depth: $0.id)
        }.union(
            all: true,
            Taxon.join(Branch.all) { $0.parentID.eq($1.id) }.select {
                Branch.Columns(id: $0.id, name: $1.name, depth: $1.depth)
            })
    } query: {
        Branch.join(Variety.all) { $0.id.eq($1.taxonID) }.leftJoin(Packet.where { $0.seeds > 0 }) {
            $1.id.eq($2.varietyID)
        }.group { b, _, _ in b.name }.having { _, v, _ in v.id.count(distinct: true) > 1 }.order {
            b, _, _ in b.name
        }.select { b, v, p in
            FamilyLine.Columns(
                family: b.name, varieties: v.id.count(distinct: true), seeds: p.seeds.sum() ?? 0,
                harvests: p.harvestYear.jsonGroupArray(
                    distinct: true, order: p.harvestYear, filter: p.harvestYear.isNot(nil)))
        }
    }
    .fetchAll(db)
    _ = try With {
        Packet.where { $0.seeds.eq(0) }.select {
            Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds)
        }
    } query: {
        Packet.where { $0.varietyID.in(Stock.select(\.varietyID)) && $0.seeds.eq(0) }.delete()
            .returning(\.id)
    }
    .fetchAll(db)
    _ = try With {
        Taxon.where { $0.rank.eq(.family) }.select { OpenName.Columns(name: $0.name) }
    } query: {
        Trait.insert {
            ($0.code, $0.label)
        } select: {
            OpenName.select { ($0.name.lower(), "Family " + $0.name) }
        }.returning(\.code)
    }
    .fetchAll(db)
}

func compounds3(_ db: Database) throws {
    _ = try With {
        Variety.select { OpenName.Columns(name: $0.name) }
    } query: {
        OpenName.none
    }
    .fetchAll(db)
    _ =
        try Trait
        .insert {
            ($0.code, $0.label)
        } select: {
            Values("a", "Alpha").union(Values("b", "Beta"))
        }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.seeds > 400 }
        .select { ($0.varietyID, $0.seeds) }
        .union(Packet.where { $0.place.shelf.eq("A") }.select { ($0.varietyID, $0.seeds) })
        .order { ($0.1.desc(), $0.0) }
        .limit(3)
        .offset(1)
        .fetchAll(db)
    _ = try With {
        Taxon.find(12).select {
            Up.Columns(id: $0.id, parentID: $0.parentID, name: $0.name, step: 0)
        }.union(
            all: true,
            Taxon.join(Up.all) { $0.id.eq($1.parentID) }.select {
                Up.Columns(id: $0.id, parentID: $0.parentID, name: $0.name, step: $1.step + 1)
            })
    } query: {
        Up.select { $0.name.groupConcat(" › ", order: $0.step.desc()) }
    }
    .fetchAll(db)
    _ = try With {
        Count(value: 1).union(
            all: true, Count.where { $0.value < 12 }.select { Count.Columns(value: $0.value + 1) })
    } query: {
        Count.leftJoin(Loan.all) { $0.value.eq($1.takenAt.month) && $1.takenAt.year.eq(2025) }.group
        { c, _ in c.value }.order { c, _ in c.value }.select {
            ($0.value, $1.count(), $1.seeds.sum() ?? 0)
        }
    }
    .fetchAll(db)
}

func compounds4(_ db: Database) throws {
    _ = try With {
        Loan.where { $0.returned.isNot(nil) }.group(by: \.packetID).select {
            Back.Columns(packetID: $0.packetID, seeds: $0.returned.sum() ?? 0)
        }
    } query: {
        Packet.join(Back.where { $0.seeds > 0 }) { $0.id.eq($1.packetID) }.update { p, b in
            p.seeds = p.seeds + b.seeds
        }.returning { ($0.id, $0.seeds) }
    }
    .fetchAll(db)
    _ = try With {
        Loan.group(by: \.memberID).select {
            Sums.Columns(
                memberID: $0.memberID, lent: $0.seeds.sum() ?? 0, back: $0.returned.sum() ?? 0)
        }; Sums.where { $0.back >= $0.lent }.select { Good.Columns(memberID: $0.memberID) }
    } query: {
        Member.leftJoin(Sums.all) { $0.id.eq($1.memberID) }.leftJoin(Good.all) { m, _, g in
            m.id.eq(g.memberID)
        }.where { m, _, _ in m.leftOn.is(nil) }.order { m, s, _ in
            ((s.back ?? 0) - (s.lent ?? 0)).desc(); m.name
        }.limit(5).select { m, s, g in
            Balance.Columns(
                name: m.name, lent: s.lent ?? 0, back: s.back ?? 0, isGood: g.memberID.isNot(nil))
        }
    }
    .fetchAll(db)
}

func compounds5(_ db: Database) throws {
    _ = try With {
        Packet.group(by: \.varietyID).select {
            Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
        }
    } query: {
        Stock.where { $0.seeds < 20 }.join(Variety.all) { $0.varietyID.eq($1.id) }.select {
            ($1.name, "scarce")
        }.union(
            all: true,
            Stock.where { $0.seeds > 400 }.join(Variety.all) { $0.varietyID.eq($1.id) }.select {
                ($1.name, "plenty")
            }
        ).order { ($0.1, $0.0) }
    }
    .fetchAll(db)
    _ =
        try Variety
        .where { $0.name.contains("a") }
        .select { ("variety", $0.name) }
        .union(all: true, Trait.where { $0.label.contains("a") }.select { ("trait", $0.label) })
        .union(
            all: true,
            Member.where { $0.name.contains("a") && $0.leftOn.is(nil) }.select {
                ("member", $0.name)
            }
        )
        .order { ($0.1.collate(.nocase), $0.0) }
        .limit(6)
        .fetchAll(db)
    _ = try With {
        Loan.where { $0.returned.is(nil) }.group(by: \.packetID).select {
            Back.Columns(packetID: $0.packetID, seeds: $0.seeds.sum() ?? 0)
        }
    } query: {
        Event.insert {
            ($0.packetID, $0.at, $0.kind.remark)
        } select: {
            Back.join(Packet.all) { $0.packetID.eq($1.id) }.where { b, p in b.seeds >= p.seeds / 5 }
                .order { b, _ in b.packetID }.select { b, p in
                    (
                        p.id,
                        #bind(day("2026-03-01"), as: Date.UnixTimeRepresentation.Subsecond.self),
                        b.seeds.cast(as: String.self) + " of " + p.seeds.cast(as: String.self)
                            + " out"
                    )
                }
        }.returning { ($0.packetID, $0.kind.remark) }
    }
    .fetchAll(db)
}
