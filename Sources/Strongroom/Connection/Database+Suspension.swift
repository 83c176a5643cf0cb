public import Foundation
public import StrongroomCore

extension Database {
    /// Suspends the databases opened with `Configuration.observesSuspensionNotifications`.
    ///
    /// They take no new lock until `resumeNotification`: statements that need one throw
    /// `SQLITE_ABORT`, those that run throw `SQLITE_INTERRUPT`, and an open write transaction is
    /// rolled back. Reads of a write-ahead log go on, those in other journal modes do not.
    /// Suspension is experimental: it may change without notice.
    public static let suspendNotification = Notification.Name("Strongroom.Database.suspend")

    /// Resumes suspended databases.
    public static let resumeNotification = Notification.Name("Strongroom.Database.resume")
}
