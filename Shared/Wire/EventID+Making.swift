public import Cryptography
public import Events

extension EventID {
    /// The same 128 bits. Domain and adapters don't know each other's type.
    public init(_ identifier: UniqueIdentifier) {
        self.init(high: identifier.high, low: identifier.low)
    }

    /// A new id of version 7.
    public init(at moment: Timestamp) {
        self.init(UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds))
    }

    /// The id of the position that a positioner gives for a scan: version 5 of the two.
    public init(positionOf scan: EventID, by positioner: String) {
        let namespace = UniqueIdentifier(high: scan.high, low: scan.low)
        self.init(UniqueIdentifier(namespace: namespace, name: positioner))
    }
}
