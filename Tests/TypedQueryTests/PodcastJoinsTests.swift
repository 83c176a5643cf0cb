import Foundation
import Strongroom
import StrongroomTables
import Testing

/// Reading the podcast player: joins, groups, subqueries, CTEs, compounds, JSON and raw SQL.
@Suite struct PodcastJoinsTests {
    let database: DatabaseQueue

    init() throws { database = try podcastPlayer() }

    @Test func `inner, left, right and full joins`() throws {
        try database.read { (db) throws in
            let inner =
                try Episode
                .join(Podcast.all) { $0.podcastID.eq($1.id) }
                .where { $1.language.eq(Language.german) }
                .select { ($0.title, $1.title) }
                .fetchAll(db)
            #expect(
                inner.map { "\($0.0) of \($0.1)" } == [
                    "Steam of Iron Road", "Signals of Iron Road",
                ])
            let left =
                try Podcast
                .leftJoin(Episode.all) { $0.id.eq($1.podcastID) }
                .where { $1.id.is(nil) }
                .select { podcast, _ in podcast.title }
                .fetchAll(db)
            #expect(left == ["Tiny Loaf"])
            let right =
                try Episode
                .rightJoin(Podcast.all) { $0.podcastID.eq($1.id) && $0.minutes > 50 }
                .order { $1.id }
                .select { ($0.title, $1.id) }
                .fetchAll(db)
            #expect(right.map(\.0) == [nil, "Steam", nil])
            let full =
                try Podcast
                .fullJoin(Episode.where(\.isExplicit)) { $0.id.eq($1.podcastID) }
                .select { ($0.title, $1.title) }
                .fetchAll(db)
            #expect(full.filter { $0.1 == nil }.count == 2)
            #expect(full.first { $0.1 != nil }?.0 == "Deep Sea")
            let records: [(Podcast, Episode?)] =
                try Podcast.leftJoin(Episode.long) { $0.id.eq($1.podcastID) }
                .order { ($0.id, $1.id) }.fetchAll(db)
            #expect(records.map { $0.1?.id } == [1, 4, 5, nil])
        }
    }

    @Test func `a table joined with itself, and three tables`() throws {
        try database.read { (db) throws in
            let pairs =
                try Listener
                .join(Listener.as(Referrer.self).all) { $0.referrerID.eq($1.id) }
                .order { listener, _ in listener.name }
                .select { ($0.name, $1.name) }
                .fetchAll(db)
            #expect(pairs.map { "\($0.0)<\($0.1)" } == ["Ben<Ann", "Cleo<Ben"])
            let played =
                try PlayedEpisode
                .join(Listener.all) { $0.listenerID.eq($1.id) }
                .join(Episode.all) { $0.episodeID.eq($2.id) }
                .where { $0.position >= $2.seconds }
                .order { _, listener, _ in listener.name }
                .select { ($1.name, $2.title) }
                .fetchAll(db)
            #expect(played.map { "\($0.0) \($0.1)" } == ["Ann Whales", "Ben Steam"])
        }
    }

    @Test func `groups with their counts and having`() throws {
        try database.read { (db) throws in
            let lines =
                try Podcast
                .group(by: \.id)
                .leftJoin(Episode.all) { $0.id.eq($1.podcastID) }
                .select {
                    PodcastLine.Columns(
                        podcast: $0, episodeCount: $1.count(), latest: $1.publishedAt.max())
                }
                .fetchAll(db)
            #expect(lines.map(\.episodeCount) == [3, 2, 0])
            #expect(lines.map(\.latest) == [midnight("2024-03-01"), midnight("2024-01-20"), nil])
            #expect(lines.last?.podcast.title == "Tiny Loaf")
            #expect(
                try Episode.group(by: \.podcastID).having { $0.count() > 2 }
                    .select(\.podcastID).fetchAll(db) == [1])
            let totals =
                try Episode.group { ($0.podcastID, $0.kind) }
                .having { $0.minutes.sum() > 40 }
                .select { ($0.podcastID, $0.kind, $0.minutes.sum()) }
                .fetchAll(db)
            #expect(
                totals.map { "\($0.0) \($0.1) \($0.2 ?? 0)" } == [
                    "1 full 77", "2 full 55", "2 bonus 48",
                ])
        }
    }

    @Test func `subqueries in conditions and in columns`() throws {
        try database.read { (db) throws in
            #expect(
                try Podcast.where { $0.id.in(Episode.long.select(\.podcastID)) }
                    .select(\.id).fetchAll(db) == [1, 2])
            #expect(
                try Podcast.where { !$0.id.in(Episode.select(\.podcastID)) }
                    .select(\.id).fetchAll(db) == [3])
            #expect(
                try Podcast
                    .where { podcast in
                        Episode.where { $0.podcastID.eq(podcast.id) && $0.isExplicit }.exists()
                    }
                    .select(\.id).fetchAll(db) == [1])
            let counts =
                try Podcast
                .select { podcast in
                    (podcast.title, Episode.where { $0.podcastID.eq(podcast.id) }.count())
                }
                .fetchAll(db)
            #expect(counts.map(\.1) == [3, 2, 0])
            #expect(
                try Episode
                    .where { $0.minutes.eq(Episode.select { $0.minutes.max() ?? 0 }) }
                    .select(\.title).fetchAll(db) == ["Steam"])
            #expect(
                try Podcast.where { $0.rating > Podcast.select { $0.rating.avg() ?? 0 } }
                    .select(\.id).fetchAll(db) == [1, 3])
        }
    }

    @Test func `common table expressions, one after the other and recursive`() throws {
        try database.read { (db) throws in
            let long = try With {
                Episode.long.select { LongEpisode.Columns(title: $0.title, minutes: $0.minutes) }
            } query: {
                LongEpisode.order { $0.minutes.desc() }.limit(2)
            }
            .fetchAll(db)
            #expect(long.map(\.title) == ["Steam", "Signals"])
            let values = try With {
                Countdown(value: 3)
                    .union(
                        all: true,
                        Countdown.where { $0.value > 1 }
                            .select { Countdown.Columns(value: $0.value - 1) })
            } query: {
                Countdown.select(\.value)
            }
            .fetchAll(db)
            #expect(values == [3, 2, 1])
            let invited = try With {
                Listener.where { $0.referrerID.is(nil) }
                    .select { Invited.Columns(id: $0.id, depth: 0) }
                    .union(
                        all: true,
                        Listener.join(Invited.all) { $0.referrerID.eq($1.id) }
                            .select { Invited.Columns(id: $0.id, depth: $1.depth + 1) })
            } query: {
                Invited.join(Listener.all) { $0.id.eq($1.id) }.select { ($1.name, $0.depth) }
            }
            .fetchAll(db)
            #expect(invited.map { "\($0.0)\($0.1)" } == ["Ann0", "Ben1", "Cleo2"])
        }
    }

    @Test func `union, intersect and except`() throws {
        try database.read { (db) throws in
            let titles =
                try Podcast.select(\.title)
                .union(Episode.long.select(\.title))
                .fetchAll(db)
            #expect(titles.count == 6)
            #expect(
                try Episode.select(\.podcastID).union(all: true, Podcast.select(\.id))
                    .fetchAll(db).count == 8)
            #expect(
                try Podcast.select(\.id).except(Episode.select(\.podcastID)).fetchAll(db) == [3])
            #expect(
                try Podcast.select(\.id).intersect(Episode.select(\.podcastID)).fetchAll(db)
                    == [1, 2])
        }
    }

    @Test func `cases of a value and of conditions`() throws {
        try database.read { (db) throws in
            #expect(
                try Episode
                    .select {
                        Case($0.kind)
                            .when(EpisodeKind.full, then: "full")
                            .when(EpisodeKind.trailer, then: "trailer")
                            .else("other")
                    }
                    .fetchAll(db) == ["full", "full", "trailer", "full", "other"])
            #expect(
                try Episode.select { Case().when($0.minutes > 50, then: "long") }.fetchAll(db)
                    == [nil, nil, nil, "long", nil])
            #expect(
                try Episode.order { Case().when($0.isExplicit, then: 0).else(1) }
                    .select(\.id).fetchOne(db) == 2)
        }
    }

    @Test func `rows and columns gathered as JSON`() throws {
        try database.read { (db) throws in
            let titles =
                try Podcast
                .group(by: \.id)
                .join(Episode.long) { $0.id.eq($1.podcastID) }
                .select {
                    PodcastTitles.Columns(title: $0.title, episodes: $1.title.jsonGroupArray())
                }
                .fetchAll(db)
            #expect(titles.first == PodcastTitles(title: "Deep Sea", episodes: ["Whales"]))
            let hosts =
                try Podcast.group(by: \.host).order(by: \.host)
                .select { HostLine.Columns(host: $0.host, podcasts: $0.jsonGroupArray()) }
                .fetchAll(db)
            #expect(hosts.map(\.host) == [nil, "Ada", "Cem"])
            #expect(hosts.last?.podcasts.map(\.rating) == [4.8])
            #expect(
                try Episode.select { $0.keywords.jsonArrayLength() }.fetchAll(db)
                    == [2, 1, 0, 1, 0])
        }
    }

    @Test func `SQL written by hand with columns, values and types`() throws {
        try database.read { (db) throws in
            #expect(
                try #sql("SELECT max(minutes) FROM episodes", as: Int.self).fetchOne(db) == 55)
            let least = 40
            let long = try #sql(
                """
                SELECT \(Episode.columns) FROM \(Episode.self)
                WHERE \(Episode.minutes) > \(least) ORDER BY \(Episode.title) DESC
                """,
                as: Episode.self
            )
            .fetchAll(db)
            #expect(long.map(\.id) == [1, 4, 5])
            #expect(
                try Episode.where { #sql("length(\($0.title)) = \(bind: 5)") }.select(\.id)
                    .fetchAll(db) == [2, 4])
            let rows = try #sql(
                "SELECT \(Podcast.id), \(Podcast.title) FROM \(Podcast.self)",
                as: (Int, String).self
            )
            .fetchAll(db)
            #expect(rows.map(\.1) == ["Deep Sea", "Iron Road", "Tiny Loaf"])
            #expect(
                try Episode.select { #sql("strftime('%m', \($0.publishedAt))", as: String?.self) }
                    .fetchAll(db) == ["01", "02", "03", "01", nil])
        }
    }
}
