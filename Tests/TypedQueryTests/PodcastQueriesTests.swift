import Foundation
import Strongroom
import StrongroomTables
import StrongroomTestSupport
import Testing

/// Reading the podcast player: one table, its optionals, enums, dates and text.
@Suite struct PodcastQueriesTests {
    let database: DatabaseQueue

    init() throws { database = try podcastPlayer() }

    @Test func `columns as a key path, a tuple and a selection`() throws {
        try database.read { (db) throws in
            #expect(try Episode.select(\.title).fetchAll(db).count == 5)
            #expect(try Episode.where { $0.minutes > 50 }.select(\.id).fetchAll(db) == [4])
            let rows = try Episode.select { ($0.id, $0.title, $0.publishedAt) }.fetchAll(db)
            #expect(rows.map(\.1).last == "Signals")
            #expect(rows.map(\.2).last! == nil)
            #expect(
                try Episode.long.select {
                    LongEpisode.Columns(title: $0.title, minutes: $0.minutes)
                }
                .fetchOne(db) == LongEpisode(title: "Whales", minutes: 42))
        }
    }

    @Test func `optionals with is, isNot, operators and nil`() throws {
        try database.read { (db) throws in
            #expect(
                try Episode.where { $0.summary.is(nil) }.select(\.id).fetchAll(db) == [2, 3, 5])
            #expect(try Episode.where { $0.summary.is(nil) }.fetchCount(db) == 3)
            #expect(
                try Episode.where { $0.summary.isNot(nil) }.select(\.id).fetchAll(db) == [1, 4])
            #expect(try Podcast.where { $0.host.isNot("Ada") }.select(\.id).fetchAll(db) == [2, 3])
            #expect(try Podcast.where { $0.host.eq("Ada") }.select(\.id).fetchAll(db) == [1])
            let host: String? = nil
            #expect(try Podcast.where { $0.host.is(host) }.select(\.id).fetchAll(db) == [2])
            #expect(
                try Podcast.select { $0.host ?? "nobody" }.fetchAll(db) == ["Ada", "nobody", "Cem"])
            #expect(
                try Episode.select { ($0.summary ?? "").length() }.fetchAll(db) == [5, 0, 0, 7, 0])
        }
    }

    @Test func `enums by case, by eq and in a list`() throws {
        try database.read { (db) throws in
            #expect(
                try Episode.where { $0.kind.eq(EpisodeKind.bonus) }.select(\.id).fetchAll(db) == [5]
            )
            #expect(try Episode.where { $0.kind.eq(.trailer) }.select(\.id).fetchAll(db) == [3])
            #expect(try Episode.where { $0.kind.neq(.full) }.select(\.id).fetchAll(db) == [3, 5])
            #expect(
                try Episode.where { $0.kind.in([.trailer, .bonus]) }.select(\.id).fetchAll(db)
                    == [3, 5])
            #expect(
                try Podcast.where { $0.language.neq(Language.english) }.select(\.language)
                    .fetchAll(db) == [.german])
        }
    }

    @Test func `dates compared with a bound date, between two, and ordered`() throws {
        try database.read { (db) throws in
            let since = midnight("2024-02-01")
            #expect(
                try Episode.where { $0.publishedAt > #bind(since) }.select(\.id).fetchAll(db)
                    == [2, 3])
            #expect(
                try Episode.where { $0.publishedAt > since }.select(\.id).fetchAll(db) == [2, 3])
            #expect(
                try Episode.where { $0.publishedAt.gte(since) }.select(\.id).fetchAll(db) == [2, 3])
            #expect(
                try Episode.where { $0.publishedAt.between(midnight("2024-01-01"), and: since) }
                    .select(\.id).fetchAll(db) == [1, 4])
            #expect(
                try Episode.where { ($0.publishedAt ?? since) >= since }.select(\.id)
                    .fetchAll(db) == [2, 3, 5])
            #expect(
                try Episode.order { $0.publishedAt.desc(nulls: .first) }.select(\.id).fetchAll(db)
                    == [5, 3, 2, 4, 1])
            let latest = try Episode.select { $0.publishedAt.max() }.fetchOne(db)
            #expect(latest == midnight("2024-03-01"))
        }
    }

    @Test func `text by like, contains, prefix, suffix, case and concatenation`() throws {
        try database.read { (db) throws in
            #expect(
                try Episode.where { $0.title.like("S%") }.select(\.id).fetchAll(db) == [2, 4, 5])
            #expect(
                try Episode.where { $0.title.contains("ea") }.select(\.id).fetchAll(db) == [3, 4])
            #expect(try Episode.where { $0.title.hasPrefix("Ne") }.select(\.id).fetchAll(db) == [3])
            #expect(
                try Episode.where { $0.title.hasSuffix("s") }.select(\.id).fetchAll(db) == [1, 5])
            #expect(
                try Episode.where { $0.title.collate(.nocase).eq("STEAM") }.select(\.id)
                    .fetchAll(db) == [4])
            #expect(
                try Episode.where { $0.title.lower().eq("steam") }.select { $0.title.upper() }
                    .fetchOne(db) == "STEAM")
            #expect(
                try Podcast.find(1).select { $0.title + " by " + ($0.host ?? "?") }.fetchOne(db)
                    == "Deep Sea by Ada")
            #expect(try Episode.where { $0.summary.like("%oil%") }.select(\.id).fetchAll(db) == [4])
        }
    }

    @Test func `conditions by key path, not, and, or, and those of Swift`() throws {
        try database.read { (db) throws in
            #expect(try Episode.where(\.isExplicit).select(\.id).fetchAll(db) == [2])
            #expect(try Episode.where { !$0.isExplicit && $0.minutes < 45 }.fetchCount(db) == 2)
            #expect(
                try Episode.where { $0.isExplicit || $0.kind.eq(EpisodeKind.trailer) }
                    .select(\.id).fetchAll(db) == [2, 3])
            let onlyLong = true
            let filtered = Episode.where {
                if onlyLong {
                    $0.minutes > 40
                }
                $0.podcastID.eq(2)
            }
            #expect(try filtered.select(\.id).fetchAll(db) == [4, 5])
            #expect(
                try Episode.long.where { $0.summary.isNot(nil) }.select(\.id).fetchAll(db) == [
                    1, 4,
                ])
            #expect(
                try (Episode.where(\.isExplicit) || Episode.long).select(\.id).fetchAll(db)
                    == [1, 2, 4, 5])
            #expect(try Episode.where { $0.id.in([1, 5, 9]) }.select(\.id).fetchAll(db) == [1, 5])
            #expect(
                try Episode.where { ($0.minutes % 10).eq(5) }.select(\.id).fetchAll(db) == [2, 4])
        }
    }

    @Test(.proves("TQS-033"))
    func `orders, limits and distinct rows`() throws {
        try database.read { (db) throws in
            #expect(
                try Episode.order { ($0.podcastID.desc(), $0.title) }.select(\.id).fetchAll(db)
                    == [5, 4, 3, 2, 1])
            #expect(try Episode.order(by: \.title).select(\.id).limit(2).fetchAll(db) == [3, 5])
            #expect(
                try Episode.order(by: \.title).limit(2, offset: 2).select(\.id).fetchAll(db)
                    == [2, 4])
            #expect(try Episode.limit(2, offset: 1).fetchAll(db).map(\.id) == [2, 3])
            #expect(try Episode.limit(1).fetchOne(db)?.title == "Whales")
            #expect(try Episode.byLength(ascending: true).limit(1).fetchOne(db)?.id == 3)
            #expect(try Episode.byLength(ascending: false).limit(1).fetchOne(db)?.id == 4)
            #expect(try Episode.distinct().select(\.podcastID).fetchAll(db) == [1, 2])
            #expect(try Episode.select(\.podcastID).distinct().fetchAll(db) == [1, 2])
        }
    }

    @Test func `rows by key`() throws {
        try database.read { (db) throws in
            #expect(try Episode.find(2).fetchOne(db)?.keywords == ["sea"])
            #expect(
                try Episode.find([1, 3]).select(\.title).fetchAll(db) == ["Whales", "Next season"])
            #expect(try Episode.find(db, key: 4).title == "Steam")
            #expect(try Listener.find(.ann).fetchOne(db)?.name == "Ann")
            #expect(throws: NotFound.self) { try Episode.find(db, key: 9) }
            #expect(try Episode.find(4).select(\.seconds).fetchOne(db) == 3300)
        }
    }

    @Test func `aggregates of a table`() throws {
        try database.read { (db) throws in
            #expect(try Episode.count().fetchOne(db) == 5)
            #expect(try Episode.fetchCount(db) == 5)
            let sum = try Episode.select { $0.minutes.sum() }.fetchOne(db)
            #expect(sum == 182)
            let average = try Episode.select { $0.minutes.avg() }.fetchOne(db)
            #expect(average == 36.4)
            #expect(try Episode.select { $0.minutes.total() }.fetchOne(db) == 182)
            let range = try #require(
                try Episode.select { ($0.minutes.min(), $0.minutes.max()) }.fetchOne(db))
            #expect(range == (2, 55))
            #expect(try Episode.select { $0.podcastID.count(distinct: true) }.fetchOne(db) == 2)
            #expect(
                try Episode.select { $0.count(filter: $0.isExplicit) }.fetchOne(db) == 1)
            let titles = try Episode.long.select { $0.title.groupConcat(", ") }.fetchOne(db)
            #expect(titles == "Whales, Steam, Signals")
            let none = try Episode.where { $0.id > 9 }.select { $0.minutes.sum() }.fetchAll(db)
            #expect(none == [nil])
        }
    }
}

extension Episode {
    fileprivate static func byLength(
        ascending: Bool
    ) -> some SelectStatement<Episode> {
        Episode.order {
            if ascending {
                $0.minutes
            } else {
                $0.minutes.desc()
            }
        }
    }
}
