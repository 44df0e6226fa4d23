public import Events
public import JSON
public import Site

/// The battery of a beacon, for the list of a site's beacons, lowest first.
public struct ListedBattery: Listed {
    public static var listName: StaticString { "batteries" }

    private let beacon: SiteBeacon
    private let level: BeaconBatteryReported

    public init(_ beacon: SiteBeacon, _ level: BeaconBatteryReported) {
        self.beacon = beacon
        self.level = level
    }

    public var place: Place { Place(percent: level.percent, beacon: beacon.id) }
    public var cursor: String? { place.text }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("beacon", beacon.id)
        writer.field("name", beacon.name)
        writer.field("floor", beacon.floor)
        writer.field("percent", level.percent)
        writer.field("at", level.at)
    }

    /// A row's place in the list; as text it is the cursor of the rows after it.
    public struct Place: Hashable, Sendable, Comparable {
        private let percent: Int
        private let beacon: BeaconID

        fileprivate init(percent: Int, beacon: BeaconID) {
            self.percent = percent
            self.beacon = beacon
        }

        /// Nil for a text that is no cursor.
        public init?(_ text: String) {
            let parts = text.split(separator: "~", omittingEmptySubsequences: false)
            guard parts.count == 2, let percent = Int(parts[0]),
                let beacon = BeaconID(validating: String(parts[1]))
            else { return nil }
            self.init(percent: percent, beacon: beacon)
        }

        fileprivate var text: String { "\(percent)~\(beacon)" }

        public static func < (left: Self, right: Self) -> Bool {
            (left.percent, left.beacon) < (right.percent, right.beacon)
        }
    }
}
