import Foundation
import Strongroom
import StrongroomTables

// A podcast player as someone writes it who knows StructuredQueries, and has not read our contract.

enum Language: String, QueryBindable {
    case english = "en"
    case german = "de"
}

enum EpisodeKind: Int, QueryBindable {
    case full
    case trailer
    case bonus
}

@Table
struct Podcast: Identifiable, Equatable, Codable {
    let id: Int
    var title = ""
    var host: String?
    var language = Language.english
    var rating: Double = 0
}

extension Language: Codable {}

@Table
struct Episode: Identifiable, Equatable {
    let id: Int
    var podcastID: Podcast.ID
    var title = ""
    var publishedAt: Date?
    var minutes = 0
    var kind = EpisodeKind.full
    var summary: String?
    var isExplicit = false
    @Column(as: [String].JSONRepresentation.self)
    var keywords: [String] = []
    @Column(generated: .virtual)
    let seconds: Int

    static let long = Self.where { $0.minutes > 40 }
}

@Table
struct Listener: Identifiable, Equatable {
    let id: UUID
    var name = ""
    var email: String?
    var referrerID: UUID?
}

@Table("plays")
struct PlayedEpisode: Equatable {
    let listenerID: Listener.ID
    let episodeID: Episode.ID
    var position = 0
}

@Table
struct EpisodeText: FullTextTable {
    let rowid: Int
    let title: String
    let summary: String
}

@Table
struct Attachment: Identifiable, Equatable {
    let id: Int
    var content: Content

    @Selection
    enum Content: Equatable {
        case note(String)
        case chapter(Int)
    }
}

@Table
struct LongEpisode: Equatable {
    let title: String
    let minutes: Int
}

@Table
struct Countdown {
    let value: Int
}

@Table
struct Invited: Equatable {
    let id: UUID
    let depth: Int
}

@Selection
struct PodcastLine: Equatable {
    let podcast: Podcast
    let episodeCount: Int
    let latest: Date?
}

@Selection
struct PodcastTitles: Equatable {
    let title: String
    @Column(as: [String].JSONRepresentation.self)
    let episodes: [String]
}

@Selection
struct HostLine: Equatable {
    let host: String?
    @Column(as: [Podcast].JSONRepresentation.self)
    let podcasts: [Podcast]
}

enum Referrer: AliasName {}

/// The first moment of a day in UTC, as in "2024-01-05".
func midnight(_ day: String) -> Date {
    guard let date = try? Date(day + "T00:00:00Z", strategy: .iso8601) else {
        preconditionFailure("no day: \(day)")
    }
    return date
}

extension UUID {
    static let ann = UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!
    static let ben = UUID(uuidString: "00000000-0000-0000-0000-00000000000B")!
    static let cleo = UUID(uuidString: "00000000-0000-0000-0000-00000000000C")!
}

/// An encrypted database in memory with podcasts, episodes, listeners and what they played.
func podcastPlayer() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.usePassphrase("whale") }
    let database = try DatabaseQueue(configuration: configuration)
    try database.write { db in
        try db.execute(sql: podcastTables)
        try Podcast.insert {
            Podcast(id: 1, title: "Deep Sea", host: "Ada", language: .english, rating: 4.5)
            Podcast(id: 2, title: "Iron Road", host: nil, language: .german, rating: 3.9)
            Podcast(id: 3, title: "Tiny Loaf", host: "Cem", language: .english, rating: 4.8)
        }
        .execute(db)
        try Episode.insert {
            Episode.Draft(
                id: 1, podcastID: 1, title: "Whales", publishedAt: midnight("2024-01-05"),
                minutes: 42,
                summary: "Songs", keywords: ["sea", "song"])
            Episode.Draft(
                id: 2, podcastID: 1, title: "Squid", publishedAt: midnight("2024-02-10"),
                minutes: 35,
                isExplicit: true, keywords: ["sea"])
            Episode.Draft(
                id: 3, podcastID: 1, title: "Next season", publishedAt: midnight("2024-03-01"),
                minutes: 2, kind: .trailer)
            Episode.Draft(
                id: 4, podcastID: 2, title: "Steam", publishedAt: midnight("2024-01-20"),
                minutes: 55,
                summary: "Boilers", keywords: ["coal"])
            Episode.Draft(id: 5, podcastID: 2, title: "Signals", minutes: 48, kind: .bonus)
        }
        .execute(db)
        try Listener.insert {
            Listener(id: .ann, name: "Ann", email: "ann@sea.example", referrerID: nil)
            Listener(id: .ben, name: "Ben", email: nil, referrerID: .ann)
            Listener(id: .cleo, name: "Cleo", email: nil, referrerID: .ben)
        }
        .execute(db)
        try PlayedEpisode.insert {
            PlayedEpisode(listenerID: .ann, episodeID: 1, position: 2520)
            PlayedEpisode(listenerID: .ann, episodeID: 2, position: 600)
            PlayedEpisode(listenerID: .ben, episodeID: 1, position: 1200)
            PlayedEpisode(listenerID: .ben, episodeID: 4, position: 3300)
        }
        .execute(db)
    }
    return database
}

private let podcastTables = """
    CREATE TABLE podcasts (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, host TEXT,
        language TEXT NOT NULL DEFAULT 'en', rating REAL NOT NULL DEFAULT 0);
    CREATE TABLE episodes (
        id INTEGER PRIMARY KEY, podcastID INTEGER NOT NULL REFERENCES podcasts(id),
        title TEXT NOT NULL, publishedAt TEXT, minutes INTEGER NOT NULL,
        kind INTEGER NOT NULL, summary TEXT, isExplicit INTEGER NOT NULL,
        keywords TEXT NOT NULL, seconds INTEGER AS (minutes * 60) VIRTUAL);
    CREATE TABLE listeners (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, referrerID TEXT);
    CREATE TABLE plays (
        listenerID TEXT NOT NULL, episodeID INTEGER NOT NULL, position INTEGER NOT NULL,
        UNIQUE (listenerID, episodeID));
    CREATE TABLE attachments (id INTEGER PRIMARY KEY, note TEXT, chapter INTEGER);
    CREATE VIRTUAL TABLE episodeTexts USING fts5(title, summary);
    """
