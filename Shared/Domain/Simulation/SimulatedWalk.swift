public import Events
import Numbers

/// The true place of a simulated device.
public struct SimulatedTruth: Sendable, Hashable {
    public let floor: FloorID
    public let room: RoomID
    /// Metres in the site's frame.
    public let x: Double
    public let y: Double
}

/// A scan with the place where it was made.
public struct SimulatedScan: Sendable, Hashable {
    public let scan: ScanRecorded
    public let truth: SimulatedTruth
}

/// One person's walk through the building, scan by scan. A walk uses a few kilobytes, so thousands
/// can run at the same time. Each one depends on its seed and device alone.
public struct SimulatedWalk: Sequence, IteratorProtocol, Sendable {
    private let building: SimulatedBuilding
    private let device: DeviceID
    private let start: Timestamp
    private let durationSeconds: Double
    private let scanPeriodSeconds: Double
    private var random: SimulationRandom
    private var receiver: SimulatedReceiver
    private var barometer: SimulatedBarometer?
    private var wanderer: Wanderer
    private var secondsOfNextScan: Double
    private var secondsWalked = 0.0

    /// - Parameters:
    ///   - scanPeriodSeconds: the time between scans. The first comes at a random moment of the
    ///     first period, so that many devices do not scan together.
    ///   - noiseSigma: the standard deviation of the noise over time, in dB.
    ///   - barometer: the device's barometer, if its scans have an air pressure. It changes nothing
    ///     else.
    public init(
        in building: SimulatedBuilding, seed: UInt64, device: DeviceID, start: Timestamp,
        durationSeconds: Double, scanPeriodSeconds: Double = 4, noiseSigma: Double = 4,
        barometer: SimulatedBarometer? = nil
    ) {
        precondition(scanPeriodSeconds > 0, "a walk needs a scan period above 0")
        self.building = building
        self.device = device
        self.start = start
        self.durationSeconds = durationSeconds
        self.scanPeriodSeconds = scanPeriodSeconds
        self.barometer = barometer
        // Devices with the same seed must walk differently.
        random = SimulationRandom(seed: seed, part: FNV1a.hash(device.text.utf8))
        receiver = SimulatedReceiver(noiseSigma: noiseSigma, random: &random)
        wanderer = Wanderer(in: building.plan, random: &random)
        secondsOfNextScan = random.uniform(0, scanPeriodSeconds)
    }

    /// The device's constant offset, in dB.
    public var deviceOffsetDecibels: Double { receiver.offsetDecibels }

    public mutating func next() -> SimulatedScan? {
        guard secondsOfNextScan <= durationSeconds else { return nil }
        let seconds = secondsOfNextScan
        wanderer.advance(bySeconds: seconds - secondsWalked, random: &random)
        secondsWalked = seconds
        secondsOfNextScan += scanPeriodSeconds
        let place = wanderer.place
        let wifi = receiver.scan(at: place, seconds: seconds, in: building, random: &random)
        let at = Timestamp(
            milliseconds: start.milliseconds + Int64((seconds * 1_000).rounded(.down)))
        let id = EventID(
            millisecondsSinceEpoch: at.milliseconds, random: random.next(), random.next())
        let storey = RadioModel.storey(place.z)
        return SimulatedScan(
            scan: ScanRecorded(
                id: id, site: building.site, device: device, scanner: ScannerID(device.text),
                at: at, sentAt: at, receivedAt: at, wifi: wifi,
                pressureHectopascals: barometer?.hectopascals(atHeight: place.z, seconds: seconds)),
            truth: SimulatedTruth(
                floor: SimulatedBuilding.floor(storey),
                room: building.room(wanderer.room, storey: storey), x: place.x, y: place.y))
    }
}
