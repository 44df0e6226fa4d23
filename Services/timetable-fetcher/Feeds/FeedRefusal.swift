import Events
import HTTP
import ServiceHost
import Timetables
import Wire

/// The reasons why a feed is not found or not stored, or its bookings are not given.
enum FeedRefusal: Error {
    case unknown(FeedID)
    /// It is not fetched until it is enabled.
    case disabled(FeedID)
    case noAddress
    /// With the number of feeds that a site may have.
    case tooMany(Int)
    /// No secret is set with which addresses could be sealed.
    case noSecret
    case misfit(FeedMisfit)
    case path(UnusablePath)
    /// Its row was written by a later release, or is damaged.
    case unreadable(FeedID)
    /// With the number of bookings that an answer may have.
    case tooManyBookings(Int)
}

extension FeedRefusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .unknown(let id): Problem(.feedUnknown, "There is no feed \(id).")
        case .disabled(let id):
            Problem(.feedUnusable, "enabled: \(id) is disabled, so it is not fetched.")
        case .noAddress: Problem(.feedUnusable, "A new feed needs its `address`.")
        case .tooMany(let most): Problem(.tooManyFeeds, "The site has \(most) feeds.")
        case .noSecret:
            Problem(
                .secretNotSet,
                "Addresses are sealed with WHEREABOUTS_SERVICE_SECRET, which nobody has set.")
        case .misfit(.buildingUnknown(let building)):
            Problem(.feedUnusable, "building: the site has no building \(building).")
        case .misfit(.roomUnknown(let room)):
            Problem(.roomUnknown, "room: the site has no room \(room).")
        case .misfit(.zoneUnknown(let zone)):
            Problem(
                .timeZoneUnknown,
                "timeZone: \(tidied(zone)) is no IANA zone, such as Europe/London.")
        case .path(let path):
            Problem(.feedUnusable, "paths.\(path.name): \(path.reason).")
        case .unreadable(let id):
            Problem(
                .feedUnusable,
                "The settings of \(id) can't be read: a later release wrote them. Send them anew.")
        case .tooManyBookings(let most):
            Problem(
                .fieldOutOfRange,
                "More than \(most) bookings lie in this time: ask for fewer rooms, or less of it.")
        }
    }
}
