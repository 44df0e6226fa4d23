public import Events

/// The scans of a device that nodes hear. It is at rest, as `SimulatedRest`, or a node that the
/// others hear. A scan that no node heard is left out.
public struct SimulatedSightings: Sequence, IteratorProtocol, Sendable {
    private let site: SiteID
    private let device: DeviceID
    private let start: Timestamp
    private let durationSeconds: Double
    private let periodSeconds: Double
    private let truth: SimulatedTruth
    private var sender: SimulatedSender
    private var random: SimulationRandom
    private var secondsOfNext: Double

    /// A device at rest, which somebody carries, in the lab or kitchen of its number.
    public init(
        ofDevice number: Int, heardBy nodes: SimulatedNodes, seed: UInt64, start: Timestamp,
        durationSeconds: Double, periodSeconds: Double = 4, noiseSigma: Double = 4,
        muted: Set<ScannerID> = []
    ) {
        let (place, truth) = SimulatedRest.place(number, in: nodes.building, seed: seed)
        var random = SimulationRandom(seed: seed, part: 30_000 + UInt64(number))
        let limit = RadioModel.deviceOffsetDecibels
        let sender = SimulatedSender(
            at: place, offset: random.uniform(-limit, limit), hasBody: true, muted: muted,
            noiseSigma: noiseSigma, in: nodes)
        self.init(
            site: nodes.building.site, device: DeviceID("device-\(number)"), start: start,
            durationSeconds: durationSeconds, periodSeconds: periodSeconds, truth: truth,
            sender: sender, random: random)
    }

    /// A node that the other nodes hear.
    public init(
        ofNode number: Int, heardBy nodes: SimulatedNodes, seed: UInt64, start: Timestamp,
        durationSeconds: Double, periodSeconds: Double = 30, noiseSigma: Double = 4,
        muted: Set<ScannerID> = []
    ) {
        let node = nodes.nodes[number]
        let random = SimulationRandom(seed: seed, part: 40_000 + UInt64(number))
        let sender = SimulatedSender(
            at: node.place, offset: node.senderOffset, hasBody: false, but: node.id, muted: muted,
            noiseSigma: noiseSigma, in: nodes)
        let plan = nodes.building.plan
        let room = plan.room(at: PlanPoint(x: node.place.x, y: node.place.y))!
        self.init(
            site: nodes.building.site, device: DeviceID(node.id.text), start: start,
            durationSeconds: durationSeconds, periodSeconds: periodSeconds,
            truth: SimulatedTruth(
                floor: SimulatedBuilding.floor(node.storey),
                room: nodes.building.room(room, storey: node.storey), x: node.place.x,
                y: node.place.y), sender: sender, random: random)
    }

    private init(
        site: SiteID, device: DeviceID, start: Timestamp, durationSeconds: Double,
        periodSeconds: Double, truth: SimulatedTruth, sender: SimulatedSender,
        random: SimulationRandom
    ) {
        precondition(periodSeconds > 0, "sightings need a period above 0")
        self.site = site
        self.device = device
        self.start = start
        self.durationSeconds = durationSeconds
        self.periodSeconds = periodSeconds
        self.truth = truth
        self.sender = sender
        self.random = random
        secondsOfNext = self.random.uniform(0, periodSeconds)
    }

    public mutating func next() -> SimulatedScan? {
        while secondsOfNext <= durationSeconds {
            let seconds = secondsOfNext
            secondsOfNext += periodSeconds
            let heardBy = sender.heardBy(seconds: seconds, &random)
            guard !heardBy.isEmpty else { continue }
            let at = start.advanced(byMicroseconds: Int64(seconds * 1e6))
            let id = EventID(
                millisecondsSinceEpoch: at.milliseconds, random: random.next(), random.next())
            return SimulatedScan(
                scan: ScanRecorded(
                    id: id, site: site, device: device, scanner: ScannerID(device.text), at: at,
                    receivedAt: at, heardBy: heardBy), truth: truth)
        }
        return nil
    }
}

extension SimulatedNodes {
    public var count: Int { nodes.count }
}
