import Events
import Retrying
import ServiceRuntime

/// Counts and tells of nodes that their site has no place of, such as one whose name has a typing
/// error.
///
/// Their sightings are stored: surveys may have been made with such a node.
struct UnknownNodes: Sendable {
    private struct Node: Hashable, Sendable {
        var site: SiteID
        var scanner: ScannerID
    }

    /// Nodes whose sentence is remembered.
    private static let mostNodes = 1_000
    /// A sender of invented names must not fill the log.
    private static let sentencesOfSite = 100
    private static let day = Duration.seconds(86_400)

    private let counter: Counter
    private let onUnexpected: @Sendable (String) -> Void
    private let nodes = Occasional<Node>(1, per: Self.day, mostKeys: Self.mostNodes)
    private let sites = Occasional<SiteID>(Self.sentencesOfSite, per: Self.day)

    init(metrics: MetricsRegistry, onUnexpected: @escaping @Sendable (String) -> Void) {
        counter = metrics.counter(
            "whereabouts_sightings_unknown_node_total",
            help: "Accepted sightings of nodes that their site has no place of.")
        self.onUnexpected = onUnexpected
    }

    /// Counts a sighting, and tells of its node once a day.
    func note(_ scanner: ScannerID, at site: SiteID) {
        counter.increment()
        guard case .admit = nodes.decide(Node(site: site, scanner: scanner)),
            case .admit = sites.decide(site)
        else { return }
        onUnexpected(
            "The site \(site) has no scanner \(scanner), but its sightings come: state its place, "
                + "or look whether the node's name is right.")
    }
}
