import Events
import HTTP

/// Takes what nodes and other systems heard: makes pseudonyms of strangers, and appends it.
protocol SightingSink: Sendable {
    /// Returns when the log has the sightings, or has refused those that it can never take.
    ///
    /// - Throws: when it is not known whether the log has them. They may be sent again.
    func accept(_ heard: [HeardDevice], of site: SiteID) async throws
}

/// Stands for the intake of sightings where there is none: the senders are asked to try again.
struct SightingsNotReady: SightingSink {
    func accept(_ heard: [HeardDevice], of site: SiteID) async throws { throw Problem.starting }
}
