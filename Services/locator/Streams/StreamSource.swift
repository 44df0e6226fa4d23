import EventLog
import Events
import Wire

/// A topic that streams send, and the names of its events there.
struct StreamSource: Sendable {
    let topic: Topic
    /// Whether its keys name devices, which may have been erased.
    let isOfDevices: Bool
    /// The name of the event for a record's type; nil for records that no stream sends.
    private let name: @Sendable (_ type: String?) -> String?

    static let positions = StreamSource(.positions) { _ in "position" }

    /// Groups of beacons that devices enter and leave. Visits of zones are in the same topic.
    static let groups = StreamSource(.visits) { type in
        switch type {
        case EventType.groupEntered.name: "group-entered"
        case EventType.groupLeft.name: "group-left"
        default: nil
        }
    }

    /// Batteries of beacons, whose keys name the beacon.
    static let batteries = StreamSource(.beaconBatteries, isOfDevices: false) { type in
        type == EventType.beaconBatteryReported.name ? "beacon-battery-reported" : nil
    }

    private init(
        _ topic: Topic, isOfDevices: Bool = true,
        name: @escaping @Sendable (_ type: String?) -> String?
    ) {
        self.topic = topic
        self.isOfDevices = isOfDevices
        self.name = name
    }

    /// The name of the record's event; nil where no stream sends it.
    func eventName(of record: StoredRecord) -> String? {
        DeviceErased.isIn(record) ? nil : name(record.headers["ce_type"])
    }
}
