import Events
import HTTP
import ServiceHost
import Timetables
import Wire

/// The reasons why a feed is not found or not stored.
enum FeedRefusal: Error {
    case unknown(FeedID)
    case noAddress
    /// With the number of feeds that a site may have.
    case tooMany(Int)
    /// No secret is set with which addresses could be sealed.
    case noSecret
}

extension FeedRefusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .unknown(let id): Problem(.feedUnknown, "There is no feed \(id).")
        case .noAddress: Problem(.feedUnusable, "A new feed needs its `address`.")
        case .tooMany(let most): Problem(.tooManyFeeds, "The site has \(most) feeds.")
        case .noSecret:
            Problem(
                .secretNotSet,
                "Addresses are sealed with WHEREABOUTS_SERVICE_SECRET, which nobody has set.")
        }
    }
}
